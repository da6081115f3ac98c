/* SPDX-License-Identifier: MIT */
#include "split/source_words.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static bool is_in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether the text has a word that begins with this. */
static bool has_word(const char *text, const char *beginning)
{
	for (const char *at = strstr(text, beginning); at; at = strstr(at + 1, beginning)) {
		if (at == text || !is_in_word(at[-1]))
			return true;
	}
	return false;
}

static bool has_any(const char *text, const char *const *words)
{
	while (*words && !has_word(text, *words))
		words++;
	return *words != NULL;
}

static bool includes_files(const char *text)
{
	for (const char *at = strchr(text, '#'); at; at = strchr(at, '#')) {
		at++;
		at += strspn(at, " \t");
		if (strncmp(at, "include", 7) == 0)
			return true;
	}
	return false;
}

bool weft_source_shares_state(const char *text)
{
	static const char *const words[] = {
		"atom", "pipe", "__opencl_atomic", "__c11_atomic", "__atomic", "__sync", NULL};

	return has_any(text, words) || includes_files(text);
}

bool weft_source_asks_for_range(const char *text)
{
	static const char *const words[] = {"get_global_size",      "get_global_offset",
					    "get_global_linear_id", "get_num_groups",
					    "get_group_id",         NULL};

	return has_any(text, words);
}
