/* SPDX-License-Identifier: MIT */
#include "data/content.h"

#include <math.h>
#include <string.h>

/* The finaliser of SplitMix64: neighbouring numbers become unlike ones. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static struct weft_number random_number(const struct weft_element *element, uint64_t seed,
					size_t index)
{
	const uint64_t bits = mix(seed + UINT64_C(0x9e3779b97f4a7c15) * (index + 1));

	if (element->kind == WEFT_SCALAR_REAL)
		return (struct weft_number){.is_real = true,
					    .real = (double)(bits >> 40) * 0x1p-24};
	return (struct weft_number){
		.whole = (int64_t)(bits & (element->scalar_bytes == 1 ? 127 : 4095))};
}

void weft_content_fill(const struct weft_spec_buffer *buffer, uint64_t seed, void *data)
{
	const struct weft_element *element = &buffer->element;
	const size_t scalars = buffer->bytes / element->scalar_bytes;
	const size_t lanes = scalars / buffer->count;

	if (buffer->filling == WEFT_FILL_ZEROS) {
		memset(data, 0, buffer->bytes);
		return;
	}
	for (size_t i = 0; i < scalars; i++) {
		const struct weft_number number =
			buffer->filling == WEFT_FILL_INDEX
				? (struct weft_number){.whole = (int64_t)(i / lanes)}
				: random_number(element, seed, i);

		weft_scalar_write(element, (char *)data + i * element->scalar_bytes, &number);
	}
}

static bool is_equal(double a, double b, double tolerance)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	if (isinf(a) || isinf(b))
		return a == b;
	return fabs(a - b) <= tolerance * fmax(1, fabs(b));
}

bool weft_content_check(const struct weft_spec_buffer *buffer, const char *what, const void *data,
			const void *right, struct weft_error *error)
{
	const struct weft_element *element = &buffer->element;
	const size_t scalars = buffer->bytes / element->scalar_bytes;

	const size_t lanes = scalars / buffer->count;
	for (size_t i = 0; i < scalars; i++) {
		const char *a = (const char *)data + i * element->scalar_bytes;
		const char *b = (const char *)right + i * element->scalar_bytes;

		/* A vector of 3 has a fourth place without a meaning. */
		if (i % lanes >= element->lanes || memcmp(a, b, element->scalar_bytes) == 0)
			continue;
		const double got = weft_scalar_read(element, a);
		const double wanted = weft_scalar_read(element, b);
		if (element->kind != WEFT_SCALAR_REAL || !is_equal(got, wanted, buffer->tolerance))
			return weft_fail(error, "%s: number %zu is %.17g, not %.17g", what, i, got,
					 wanted);
	}
	return true;
}
