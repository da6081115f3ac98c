// SPDX-License-Identifier: MIT
// Looks words up in the C program's own tree: each work-item walks from the root down, along the program's pointers.

typedef struct word {
	global const struct word *before, *after;
	global const char *text;
	uint lines;
} word;

int compare(global const char *a, global const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a - *b;
}

// The number of lines that have the word; 0: it is not in the tree.
kernel void look_up(global const word *root, global const ulong *words, global uint *lines)
{
	global const char *text = (global const char *)words[get_global_id(0)];
	global const word *at = root;
	int order = 0;

	while (at && (order = compare(text, at->text)) != 0)
		at = order < 0 ? at->before : at->after;
	lines[get_global_id(0)] = at ? at->lines : 0;
}
