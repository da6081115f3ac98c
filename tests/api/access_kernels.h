/* SPDX-License-Identifier: MIT
 *
 * Random kernels whose addresses are, mostly, sums of ids and loop variables times arguments, under conditions. `R(i)` reads and
 * `W(i)` writes an element; each is within the buffers, whatever the formula says.
 */
#ifndef WEFT_TESTS_API_ACCESS_KERNELS_H
#define WEFT_TESTS_API_ACCESS_KERNELS_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* Else what is read would be of no use, and not be read. */
#define ACCESS_END "{ if (sum == 0x7ffffff1) *sink = sum; return; }"
#define ACCESS_TEXT 65536 /* of all kernels of a program */

struct access_writer {
	char *text; /* ACCESS_TEXT bytes */
	size_t used;
	uint64_t state;
	unsigned dimensions;
	unsigned loops; /* whose variables are in scope */
	unsigned names; /* of all that is declared so far */
};

static inline unsigned access_random(struct access_writer *writer, unsigned below)
{
	writer->state = writer->state * 6364136223846793005U + 1442695040888963407U;
	return (unsigned)(writer->state >> 33) % below;
}

__attribute__((format(printf, 2, 3))) static inline void access_write(struct access_writer *writer,
								      const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	const int count = vsnprintf(writer->text + writer->used, ACCESS_TEXT - writer->used, format,
				    arguments);
	va_end(arguments);
	if (count > 0 && writer->used + (size_t)count < ACCESS_TEXT)
		writer->used += (size_t)count;
}

/* A number of the type int, long or uint, as C converts it. */
static inline void access_write_value(struct access_writer *writer, unsigned depth)
{
	const unsigned d = access_random(writer, writer->dimensions);
	const unsigned choice = access_random(writer, depth ? 20 : 9);

	if (choice < 3) {
		access_write(writer, "(int)get_global_id(%u)", d);
	} else if (choice == 3) {
		access_write(writer, access_random(writer, 2) ? "n" : "m");
	} else if (choice == 4) {
		access_write(writer, "%u", access_random(writer, 9));
	} else if (choice == 5) {
		access_write(writer, "(int)get_local_id(%u)", d);
	} else if (choice == 6) {
		access_write(writer, "(int)(get_group_id(%u) * get_local_size(%u))", d, d);
	} else if (choice == 7 && writer->loops) {
		access_write(writer, "k%u", access_random(writer, writer->loops));
	} else if (choice <= 8) {
		access_write(writer, "(uint)get_global_id(%u)", d);
	} else {
		static const char *const forms[][3] = {
			{"(", " + ", ")"},
			{"(", " + ", ")"},
			{"(", " - ", ")"},
			{"(", " * ", ")"},
			{"min((int)", ", (int)", ")"},
			{"max((int)", ", (int)", ")"},
			{"((int)", " / 4 + ", ")"},
			{"((int)", " % 8 + ", ")"},
			{"(", " > 5 ? ", " : n)"},
			{"((", ") & 15 | ", ")"},
			{"(long)(", " + ", ")"},
		};
		const char *const *form = forms[choice - 9];

		access_write(writer, "%s", form[0]);
		access_write_value(writer, depth - 1);
		access_write(writer, "%s", form[1]);
		access_write_value(writer, depth - 1);
		access_write(writer, "%s", form[2]);
	}
}

static inline void access_write_condition(struct access_writer *writer)
{
	static const char *const relations[] = {"<", "<=", ">", ">=", "==", "!="};

	access_write(writer, "(");
	access_write_value(writer, 1);
	access_write(writer, " %s ", relations[access_random(writer, 6)]);
	access_write_value(writer, 1);
	access_write(writer, ")");
	if (access_random(writer, 3) == 0) {
		access_write(writer, access_random(writer, 2) ? " && " : " || ");
		access_write_condition(writer);
	}
}

static inline void access_write_statements(struct access_writer *writer, unsigned depth)
{
	for (unsigned count = 1 + access_random(writer, 3); count > 0; count--) {
		const unsigned choice = access_random(writer, depth ? 8 : 4);
		const unsigned name = writer->names++;

		if (choice < 4) {
			access_write(writer, "\n{ long at%u = ", name);
			access_write_value(writer, 3);
			access_write(
				writer,
				choice == 3
					? "; if (at%u >= 0 && at%u < SIZE) { W(at%u) = 1; } }"
					: "; if (at%u >= 0 && at%u < SIZE) { sum += R(at%u); } }",
				name, name, name);
		} else if (choice < 6) {
			access_write(writer, "\nif (");
			access_write_condition(writer);
			access_write(writer, ") {");
			access_write_statements(writer, depth - 1);
			access_write(writer, access_random(writer, 4) ? "}" : "} else " ACCESS_END);
		} else if (writer->loops < 3) {
			const unsigned k = writer->loops;

			access_write(writer, "\nfor (int k%u = ", k);
			access_write_value(writer, 0);
			access_write(writer, ", c%u = 0; k%u %s (int)", k, k,
				     access_random(writer, 3) ? "<" : "!=");
			access_write_value(writer, 0);
			access_write(writer, " && c%u < 40; k%u %s, c%u++) {", k, k,
				     access_random(writer, 4) ? "+= 1" : "-= 1", k);
			writer->loops++;
			access_write_statements(writer, depth - 1);
			writer->loops--;
			access_write(writer, "}");
		}
	}
}

static inline void access_write_kernel(struct access_writer *writer, unsigned number)
{
	access_write(writer,
		     "kernel void k%u(global const int *a, global int *b, int n, uint m, global "
		     "int *sink RECORDS) {\n"
		     "  int sum = 0;",
		     number);
	access_write_statements(writer, 3);
	access_write(writer, "\n" ACCESS_END "}\n");
}

#endif
