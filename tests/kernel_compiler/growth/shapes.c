/* SPDX-License-Identifier: MIT
 *
 * The shapes. The first is straight code; then one for each of: calls, branches, loops, arrays, cases of a switch, values
 * across barriers, kernels, arguments, vectors, images, structures, macros, strings.
 */
#include "shapes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define SIGNATURE "kernel void k(global uint *p, global uint *q, local uint *s)\n"
/* A group of several vectors, whose size is known; neighbours that change places. */
#define SIZED                                                                                      \
	"__attribute__((reqd_work_group_size(64, 1, 1))) kernel void k(global uint *p, local "     \
	"uint *s)\n{\nuint l = get_local_id(0);\ns[l] = p[l];\n"
#define EXCHANGE(round)                                                                            \
	"barrier(CLK_LOCAL_MEM_FENCE);\n"                                                          \
	"if ((l & 1) == (" round " & 1) && l < 63 && s[l] > s[l + 1]) "                            \
	"{ uint t = s[l]; s[l] = s[l + 1]; s[l + 1] = t; }\n"
#define SIZED_TAIL "barrier(CLK_LOCAL_MEM_FENCE);\np[l] = s[l];\n}\n"

#define HEAD                                                                                       \
	SIGNATURE "{\nuint i = get_global_id(0), l = get_local_id(0), v = p[i], w = i, x = 1;\n"
#define TAIL "q[i] = v + w + x;\n}\n"

/* A text in the making. */
struct text {
	char *bytes;
	size_t size;
	FILE *stream;
};

static void text_begin(struct text *text)
{
	*text = (struct text){0};
	text->stream = open_memstream(&text->bytes, &text->size);
}

static void __attribute__((format(printf, 2, 3))) text_add(struct text *text, const char *format,
							   ...)
{
	va_list arguments;

	if (!text->stream)
		return;
	va_start(arguments, format);
	vfprintf(text->stream, format, arguments);
	va_end(arguments);
}

static char *text_end(struct text *text)
{
	if (!text->stream || fclose(text->stream) != 0) {
		free(text->bytes);
		return NULL;
	}
	return text->bytes;
}

/* Functions in a chain: each calls the one before. */
static char *print_chain(unsigned parts)
{
	struct text text;

	text_begin(&text);
	text_add(&text, "uint f0(uint v, global uint *p) { return v * 3 + p[v & 255]; }\n");
	for (unsigned i = 1; i <= parts; i++)
		text_add(&text,
			 "uint f%u(uint v, global uint *p) { return f%u(v ^ %u, p) * 5 + v; }\n", i,
			 i - 1, i);
	text_add(&text, HEAD "v = f%u(v, p);\n" TAIL, parts);
	return text_end(&text);
}

/* Functions that each call the two before: the ways from the last to the first grow like Fibonacci's numbers. */
static char *print_lattice(unsigned parts)
{
	struct text text;

	text_begin(&text);
	text_add(&text,
		 "uint f0(uint v) { return v * 3 + 1; }\nuint f1(uint v) { return v ^ 77; }\n");
	for (unsigned i = 2; i <= parts + 1; i++)
		text_add(&text,
			 "uint f%u(uint v) { uint w = f%u(v + 1); return f%u(w ^ %u) * w + v; }\n",
			 i, i - 1, i - 2, i);
	text_add(&text, HEAD "v = f%u(v);\n" TAIL, parts + 1);
	return text_end(&text);
}

/* Functions that the kernel calls one after the other, each twice. */
static char *print_functions(unsigned parts)
{
	struct text text;

	text_begin(&text);
	for (unsigned i = 0; i < parts; i++)
		text_add(&text,
			 "uint f%u(uint v, uint w)\n{\n"
			 "for (uint j = 0; j < (w & 7); j++) v = v * 3 + j;\nreturn v ^ w;\n}\n",
			 i);
	text_add(&text, HEAD);
	for (unsigned i = 0; i < parts; i++)
		text_add(&text, "w += f%u(v, x); x ^= f%u(w, %u);\n", i, i, i);
	text_add(&text, TAIL);
	return text_end(&text);
}

/* Nests of loops, four deep. */
static char *print_nests(unsigned parts)
{
	struct text text;

	text_begin(&text);
	text_add(&text, HEAD);
	for (unsigned i = 0; i < parts; i++)
		text_add(&text,
			 "for (uint a = 0; a < (v & 3); a++) { w += a;\n"
			 " for (uint b = 0; b < (w & 3); b++) { x ^= b + w;\n"
			 "  for (uint c = 0; c < (x & 3); c++) { v += c * x;\n"
			 "   for (uint d = 0; d < (v & 3); d++) w ^= d * v + %u; } } }\n",
			 i);
	text_add(&text, TAIL);
	return text_end(&text);
}

/* Loops within each other, as deep as the front end allows (256 brackets), with work at each level. */
static char *print_deep(unsigned parts)
{
	const unsigned work = parts / 100 + 1, depth = parts / work;
	struct text text;

	text_begin(&text);
	text_add(&text, HEAD);
	for (unsigned i = 0; i < depth; i++) {
		text_add(&text, "for (uint j%u = 0; j%u < (v & 1); j%u++) {\n", i, i, i);
		for (unsigned j = 0; j < work; j++)
			text_add(&text, "w += j%u * v; x ^= w + %u; v += x * w;\n", i, j);
	}
	for (unsigned i = 0; i < depth; i++)
		text_add(&text, "}\n");
	text_add(&text, TAIL);
	return text_end(&text);
}

/* Values that all live across two barriers. */
static char *print_live(unsigned parts)
{
	struct text text;

	text_begin(&text);
	text_add(&text, HEAD);
	for (unsigned i = 0; i < parts; i++)
		text_add(&text, "uint v%u = p[i + %u * 64] * %u;\n", i, i, i + 1);
	text_add(&text, "s[l] = v; barrier(CLK_LOCAL_MEM_FENCE); w += s[l ^ 1];\n");
	for (unsigned i = 0; i < parts; i++)
		text_add(&text, "v%u ^= w + %u;\n", i, i);
	text_add(&text, "s[l] = w; barrier(CLK_LOCAL_MEM_FENCE); x += s[l ^ 2];\n");
	for (unsigned i = 0; i < parts; i++)
		text_add(&text, "v += v%u * x;\n", i);
	text_add(&text, TAIL);
	return text_end(&text);
}

/* Arguments with so much work for each that 20,000 instructions stay within CL_DEVICE_MAX_PARAMETER_SIZE (4096 bytes). */
static char *print_arguments(unsigned parts)
{
	struct text text;

	text_begin(&text);
	text_add(&text, "kernel void k(");
	for (unsigned i = 0; i < parts; i++)
		text_add(&text, i % 2 ? "uint a%u, " : "global uint *a%u, ", i);
	text_add(&text, "global uint *q)\n{\nuint i = get_global_id(0), v = i;\n");
	for (unsigned i = 0; i < parts; i++)
		for (unsigned j = 0; j < 8; j++)
			text_add(&text,
				 i % 2 ? "v = v * 3 + (a%u >> %u);\n"
				       : "v ^= a%u[i + %u] + (v >> 7);\n",
				 i, j);
	text_add(&text, "q[i] = v;\n}\n");
	return text_end(&text);
}

/* A structure of so many members, which is copied, passed and returned. */
static char *print_members(unsigned parts)
{
	struct text text;

	text_begin(&text);
	text_add(&text, "struct big {\n");
	for (unsigned i = 0; i < parts; i++)
		text_add(&text, i % 3 ? "uint m%u;\n" : "float4 m%u;\n", i);
	text_add(&text, "};\nstruct big turn(struct big b, uint v)\n{\n");
	for (unsigned i = 0; i < parts; i++)
		text_add(&text, "b.m%u += v;\n", i);
	text_add(&text, "return b;\n}\n"
			"kernel void k(global struct big *p, global struct big *q)\n{\n"
			"uint i = get_global_id(0);\nstruct big b = p[i];\nb = turn(b, i);\n"
			"q[i] = b;\n}\n");
	return text_end(&text);
}

/* Macros that each use the one before. */
static char *print_macros(unsigned parts)
{
	struct text text;

	text_begin(&text);
	text_add(&text, "#define M0(v) v\n");
	for (unsigned i = 1; i <= parts; i++)
		text_add(&text, "#define M%u(v) M%u(v) * 3 + %u ^ w\n", i, i - 1, i);
	text_add(&text, HEAD "w = M%u(v);\n" TAIL, parts);
	return text_end(&text);
}

/* Macros that each use the one before twice: the code doubles with each. */
static char *print_doubling_macros(unsigned parts)
{
	struct text text;
	unsigned depth = 0;

	text_begin(&text);
	text_add(&text, "#define M0(v) v = v * 3 + w; w ^= v >> 5;\n");
	for (; parts >> (depth + 1) != 0; depth++)
		text_add(&text, "#define M%u(v) M%u(v) M%u(v)\n", depth + 1, depth, depth);
	text_add(&text, HEAD);
	for (unsigned bit = 0; bit <= depth; bit++)
		if (parts >> bit & 1)
			text_add(&text, "M%u(v)\n", bit);
	text_add(&text, TAIL);
	return text_end(&text);
}

/* One string constant of so many characters. */
static char *print_string(unsigned parts)
{
	struct text text;

	text_begin(&text);
	text_add(&text, "constant char text[] = \"");
	for (unsigned i = 0; i < parts; i++)
		text_add(&text, "%c%s", 'a' + (int)(i % 26), i % 100 == 99 ? "\"\n\"" : "");
	text_add(&text, "\";\n" HEAD "x = text[v %% %u];\n" TAIL, parts);
	return text_end(&text);
}

const struct growth_shape growth_shapes[] = {
	{"straight", HEAD, "v = v * (2 * %1$uu + 3) + w; w = (w ^ (v >> (1 + %1$u %% 30))) + x;\n",
	 TAIL, NULL, 5},
	{"calls-pow", HEAD "float f = v, g = w;\n",
	 "f += p[%1$u] * pow(g + %1$u, as_float(p[i + %1$u]));\n", "v = f;\n" TAIL, NULL, 9},
	{"calls-sin", HEAD "float f = v;\n", "f += p[%1$u] * sin(as_float(p[i + %1$u]));\n",
	 "v = f;\n" TAIL, NULL, 8},
	{"calls-small", HEAD "int4 f = (int4)(v);\n",
	 "f = max(f, rotate(f, %1$u)) + convert_int4(as_uchar4(p[%1$u])); f.x ^= mad24(f.y, f.z, "
	 "f.w);\n",
	 "v = f.x + f.y;\n" TAIL, NULL, 16},
	{"calls-chain", NULL, NULL, NULL, print_chain, 5},
	{"calls-lattice", NULL, NULL, NULL, print_lattice, 7},
	{"calls-twice", NULL, NULL, NULL, print_functions, 26},
	{"branches", HEAD,
	 "if (v & 1u << %1$u %% 32) { v = v * (2 * %1$uu + 3) + w; }\n"
	 "else { w ^= v + %1$u; x += w / (v | 1); }\n",
	 TAIL, NULL, 14},
	{"branches-uniform", HEAD,
	 "if (p[%1$u] & 1) { v = v * (2 * %1$uu + 3) + w; }\nelse if (p[0] == %1$u) w ^= v;\n",
	 TAIL, NULL, 14},
	{"returns", HEAD, "x = x * 3 + %1$u; if ((x & 1023) == w) { q[i] = x; return; }\n", TAIL,
	 NULL, 6},
	{"returns-rounds", HEAD "for (uint j = 0; j < v; j++) {\n",
	 "w = w * 3 + j; if (w == %1$u) return; x += w;\n", "}\n" TAIL, NULL, 5},
	{"breaks", HEAD "do {\n", "w = w * 3 + v; if (w == %1$u) break; x += w;\n",
	 "} while (x & 5);\n" TAIL, NULL, 5},
	{"conditions", HEAD "if (0", " || p[v + %1$u] == w", ") x = 5;\n" TAIL, NULL, 5},
	{"conditions-gathered", HEAD "if (0", " || p[p[v + %1$u]] == w", ") x = 5;\n" TAIL, NULL,
	 4},
	{"continues", HEAD "for (uint j = 0; j < (p[0] & 31); j++) {\n",
	 "if (p[j] >> %1$u %% 32 & 1) continue;\nw += j; if (j == (v & 7)) continue;\nw *= 3;\n",
	 "}\n" TAIL, NULL, 10},
	{"rounds-short",
	 HEAD "w = get_num_groups(0); for (int n = 0; n < %1$u / 26; n++)\n"
	      "for (int j = 0; j < 26; j++) {\n",
	 "",
	 "if (p[w] >> (j & 15) & 1) continue;\nx += j;\nif (j == (p[w] & 7)) continue;\nx *= "
	 "3;\n}\n" TAIL,
	 NULL, 12},
	{"rounds", HEAD "w = get_num_groups(0); for (int j = 0; j < %1$u; j++) {\n", "",
	 "if (p[w] >> (j & 15) & 1) continue;\nx += j;\nif (j == (p[w] & 7)) continue;\nx *= "
	 "3;\n}\n" TAIL,
	 NULL, 12},
	{"rounds-unrolled", HEAD "_Pragma(\"unroll\") for (int j = 0; j < %1$u; j++) {\n", "",
	 "v += j * p[i + j];\n}\n" TAIL, NULL, 6},
	{"rounds-counted",
	 HEAD "_Pragma(\"unroll 65536\") for (int j = 0; j < %1$u * 1000; j++) {\n", "",
	 "q[j] = j * p[i + j];\n}\n" TAIL, NULL, 6},
	{"rounds-sized", SIZED "for (uint j = 0; j < %1$u; j++) {\n", "",
	 EXCHANGE("j") "}\n" SIZED_TAIL, NULL, 14},
	{"exchanges", SIZED, EXCHANGE("%1$u"), SIZED_TAIL, NULL, 14},
	{"loops", HEAD, "for (uint j = 0; j < (v & 15); j++) { x += j * v; w ^= x + %1$u; }\n",
	 TAIL, NULL, 10},
	{"loops-uniform", HEAD,
	 "for (uint j = 0; j < p[%1$u]; j++) { x += j * v; w ^= x + p[j]; }\n", TAIL, NULL, 12},
	{"nests", NULL, NULL, NULL, print_nests, 36},
	{"deep", NULL, NULL, NULL, print_deep, 6},
	{"arrays", HEAD,
	 "{ uint a[8]; for (int j = 0; j < 8; j++) a[j] = v * j; w += a[x & 7] + a[w & 7]; }\n",
	 TAIL, NULL, 18},
	{"array-elements", HEAD "uint a[64] = {0};\n",
	 "a[%1$u %% 64] += v; v ^= a[w + %1$u & 63];\n", TAIL, NULL, 10},
	{"accesses", HEAD, "q[i + %1$u * x] = s[l + %1$u] + p[%1$u];\n", TAIL, NULL, 10},
	{"accesses-near", HEAD, "q[4 * i + %1$u] = p[4 * i + %1$u] + v;\n", TAIL, NULL, 10},
	{"switch", HEAD "switch (v) {\n",
	 "case %1$u: w += v * %1$u + p[w & 1023]; x ^= w; break;\n", "}\n" TAIL, NULL, 8},
	{"switch-through", HEAD "switch (v) {\n", "case %1$u * 7: w += v * %1$u; x ^= w;\n",
	 "}\n" TAIL, NULL, 4},
	{"barriers", HEAD,
	 "s[l] = v + %1$u; barrier(CLK_LOCAL_MEM_FENCE);\n"
	 "x += s[l ^ 1] * w; v ^= x; barrier(CLK_LOCAL_MEM_FENCE);\n",
	 TAIL, NULL, 12},
	{"barriers-in-loops", HEAD,
	 "for (uint j = 0; j < p[%1$u]; j++) { s[l] = v + j; barrier(CLK_LOCAL_MEM_FENCE);\n"
	 "x += s[l ^ 1] * w; barrier(CLK_LOCAL_MEM_FENCE); }\n",
	 TAIL, NULL, 12},
	{"live", NULL, NULL, NULL, print_live, 9},
	{"kernels", "",
	 "kernel void k%1$u(global uint *p) { uint i = get_global_id(0); p[i] = p[i] * %1$u + 1; "
	 "}\n",
	 "", NULL, 8},
	{"arguments", NULL, NULL, NULL, print_arguments, 32},
	{"vectors",
	 "kernel void k(global float16 *p, global float16 *q)\n{\nuint i = get_global_id(0);\n"
	 "float16 v = p[i], w = v;\n",
	 "v = v * w + p[i + %1$u].s0123456789abcdef; w = fma(v, w, %1$u.0f).sfedcba9876543210;\n",
	 "q[i] = v + w;\n}\n", NULL, 8},
	{"images",
	 "kernel void k(read_only image2d_t a, sampler_t s, write_only image2d_t b)\n{\n"
	 "int2 i = (int2)(get_global_id(0), get_global_id(1));\nfloat4 v = 0;\n",
	 "v = v * %1$u.0f + read_imagef(a, s, i + (int2)(%1$u, 1)) * read_imagef(a, s, v.xy);\n",
	 "write_imagef(b, i, v);\n}\n", NULL, 8},
	{"images-branches",
	 "kernel void k(read_only image2d_t a, write_only image2d_t b)\n{\n"
	 "int2 i = (int2)(get_global_id(0), get_global_id(1));\nfloat4 v = read_imagef(a, i);\n",
	 "if (v.x > %1$u) { v += read_imagef(a, i.yx); write_imagef(b, i, v); }\n", "}\n", NULL,
	 10},
	{"vector-elements",
	 "kernel void k(global int16 *p, global int16 *q)\n{\nuint i = get_global_id(0);\nint16 v "
	 "= p[i];\n",
	 "v.s3 += v.s7 * %1$u; v.s01 = v.sab ^ v.s45; v.even = v.odd + v.sf;\n", "q[i] = v;\n}\n",
	 NULL, 12},
	{"structures",
	 "struct point { float x, y; int4 n; };\n"
	 "struct point turn(struct point p, float a) { p.x += a; p.n.y ^= 3; return p; }\n"
	 "kernel void k(global struct point *p, global struct point *q)\n{\n"
	 "uint i = get_global_id(0);\nstruct point v = p[i];\n",
	 "{ struct point w = turn(v, %1$u); v = w; v.y *= w.x; v.n.x += w.n.y; q[i + %1$u] = v; "
	 "}\n",
	 "q[i] = v;\n}\n", NULL, 40},
	{"members", NULL, NULL, NULL, print_members, 16},
	{"macros", NULL, NULL, NULL, print_macros, 3},
	{"macros-doubling", NULL, NULL, NULL, print_doubling_macros, 4},
	{"strings", HEAD, "printf(\"part %1$u of v, %%u and %%u\\n\", v, w + %1$u);\n", TAIL, NULL,
	 2},
	{"string-size", NULL, NULL, NULL, print_string, 1},
};

const size_t growth_num_shapes = sizeof(growth_shapes) / sizeof(*growth_shapes);

/* The formats are the table's own. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

char *growth_source(const struct growth_shape *shape, unsigned parts)
{
	struct text text;

	if (shape->print)
		return shape->print(parts);
	text_begin(&text);
	text_add(&text, shape->before, parts);
	for (unsigned i = 0; i < parts; i++)
		text_add(&text, shape->part, i);
	text_add(&text, shape->after, parts);
	return text_end(&text);
}
