/* SPDX-License-Identifier: MIT
 *
 * NumPy's format, versions 1 to 3: a magic text, the length of a header, the header, which is a Python dictionary of three
 * members, then the numbers.
 */
#include "data/npy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "\x93NUMPY"
#define MAGIC_SIZE 6
#define MOST_HEADER 65536

static bool has_suffix(const char *path)
{
	const size_t length = strlen(path);

	return length >= 4 && strcmp(path + length - 4, ".npy") == 0;
}

/* What NumPy calls the numbers, such as "<f4". */
static void type_name(const struct weft_element *element, char name[8])
{
	static const char kinds[] = {
		[WEFT_SCALAR_SIGNED] = 'i', [WEFT_SCALAR_UNSIGNED] = 'u', [WEFT_SCALAR_REAL] = 'f'};

	snprintf(name, 8, "%c%c%u", element->scalar_bytes == 1 ? '|' : '<', kinds[element->kind],
		 element->scalar_bytes);
}

/* ---- reading ------------------------------------------------------------------------------------- */

/* The value behind the member's name in the header; NULL: it has none. */
static const char *find_value(const char *header, const char *name)
{
	const char *at = strstr(header, name);

	if (!at)
		return NULL;
	at += strlen(name);
	at += strspn(at, "'\" \t");
	return *at == ':' ? at + 1 + strspn(at + 1, " \t") : NULL;
}

/* Whether a shape such as "(3, 4)" has that many numbers. */
static bool has_count(const char *shape, size_t count)
{
	size_t product = 1;

	if (*shape++ != '(')
		return false;
	for (shape += strspn(shape, " "); *shape != ')'; shape += strspn(shape, ", ")) {
		char *end;
		const unsigned long long length = strtoull(shape, &end, 10);

		if (end == shape || __builtin_mul_overflow(product, length, &product))
			return false;
		shape = end;
	}
	return product == count;
}

static const char *check_header(const char *header, const struct weft_spec_buffer *buffer)
{
	char wanted[8];
	const char *type = find_value(header, "descr");
	const char *order = find_value(header, "fortran_order");
	const char *shape = find_value(header, "shape");

	if (!type || !order || !shape)
		return "the header of the .npy file is damaged";
	if (strncmp(order, "False", 5) != 0)
		return "the array is in Fortran's order";
	type_name(&buffer->element, wanted);
	type += strspn(type, "'\"");
	if (strncmp(type, wanted, strlen(wanted)) != 0 ||
	    (type[strlen(wanted)] != '\'' && type[strlen(wanted)] != '"'))
		return "its numbers have another type than the buffer";
	if (!has_count(shape, buffer->bytes / buffer->element.scalar_bytes))
		return "its shape has not as many numbers as the buffer";
	return NULL;
}

/* Leaves the file behind the header. NULL: done; else what is wrong. */
static const char *read_header(FILE *file, const struct weft_spec_buffer *buffer)
{
	unsigned char start[MAGIC_SIZE + 6];
	size_t size = 0;

	if (fread(start, 1, MAGIC_SIZE + 4, file) != MAGIC_SIZE + 4 ||
	    memcmp(start, MAGIC, MAGIC_SIZE) != 0 || start[MAGIC_SIZE] < 1 || start[MAGIC_SIZE] > 3)
		return "this is no .npy file";
	size = start[MAGIC_SIZE + 2] | (size_t)start[MAGIC_SIZE + 3] << 8;
	if (start[MAGIC_SIZE] > 1) {
		if (fread(start + MAGIC_SIZE + 4, 1, 2, file) != 2)
			return "this is no .npy file";
		size |= (size_t)start[MAGIC_SIZE + 4] << 16 | (size_t)start[MAGIC_SIZE + 5] << 24;
	}
	if (size > MOST_HEADER)
		return "the header of the .npy file is damaged";
	char *header = (char *)calloc(size + 1, 1);
	if (!header)
		return "out of memory";
	const char *problem = fread(header, 1, size, file) == size
				      ? check_header(header, buffer)
				      : "the header of the .npy file is damaged";
	free(header);
	return problem;
}

bool weft_data_read(const char *path, const char *what, const struct weft_spec_buffer *buffer,
		    void *data, struct weft_error *error)
{
	FILE *file = fopen(path, "rbe");

	if (!file)
		return weft_fail(error, "%s: %s: %s", what, path, strerror(errno));
	const char *problem = has_suffix(path) ? read_header(file, buffer) : NULL;
	if (!problem && fread(data, 1, buffer->bytes, file) != buffer->bytes)
		problem = ferror(file) ? "the file cannot be read"
				       : "the file is shorter than the buffer";
	if (!problem && fgetc(file) != EOF)
		problem = "the file is longer than the buffer";
	fclose(file);
	return !problem || weft_fail(error, "%s: %s: %s", what, path, problem);
}

/* ---- writing ------------------------------------------------------------------------------------- */

/* The data begin at a multiple of 64 bytes, as NumPy's own do. */
static bool write_header(FILE *file, const struct weft_spec_buffer *buffer)
{
	char header[128];
	char type[8];
	char lanes[24] = "";
	const struct weft_element *element = &buffer->element;
	const size_t padded = weft_element_bytes(element) / element->scalar_bytes;

	type_name(element, type);
	if (padded > 1)
		snprintf(lanes, sizeof(lanes), "%zu", padded);
	const int length =
		snprintf(header, sizeof(header),
			 "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,%s%s), }", type,
			 buffer->count, *lanes ? " " : "", lanes);
	const int size = sizeof(header) - MAGIC_SIZE - 4;
	const unsigned char start[] = {1, 0, (unsigned char)size, 0};
	return fwrite(MAGIC, 1, MAGIC_SIZE, file) == MAGIC_SIZE &&
	       fwrite(start, 1, sizeof(start), file) == sizeof(start) &&
	       fprintf(file, "%s%*s\n", header, size - length - 1, "") == size;
}

bool weft_data_write(const char *path, const char *what, const struct weft_spec_buffer *buffer,
		     const void *data, struct weft_error *error)
{
	FILE *file = fopen(path, "wbe");

	if (!file)
		return weft_fail(error, "%s: %s: %s", what, path, strerror(errno));
	bool done = ((!has_suffix(path) || write_header(file, buffer)) &&
		     fwrite(data, 1, buffer->bytes, file) == buffer->bytes) ||
		    weft_fail(error, "%s: %s: %s", what, path, strerror(errno));
	if (fclose(file) != 0)
		done = weft_fail(error, "%s: %s: %s", what, path, strerror(errno));
	return done;
}
