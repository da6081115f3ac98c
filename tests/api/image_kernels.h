/* SPDX-License-Identifier: MIT
 *
 * Kernels with every form of access of every type of image: <form>_<name>_<kind>, with the arguments image, numbers, colors, out,
 * and of the forms with a sampler, that.
 */
#ifndef WEFT_TESTS_API_IMAGE_KERNELS_H
#define WEFT_TESTS_API_IMAGE_KERNELS_H

#include "fixture.h"

#include <stdio.h>

struct image_kernels {
	const char *name;
	const char *image; /* the type in OpenCL C */
	cl_mem_object_type type;
	const char *at; /* coordinates, of the four numbers p */
	bool is_depth, is_buffer;
};

static const struct image_kernels image_kernels[] = {
	{"1d", "image1d_t", CL_MEM_OBJECT_IMAGE1D, "p.x", false, false},
	{"buffer", "image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER, "p.x", false, true},
	{"1d_array", "image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, "p.xy", false, false},
	{"2d", "image2d_t", CL_MEM_OBJECT_IMAGE2D, "p.xy", false, false},
	{"2d_array", "image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, "p", false, false},
	{"3d", "image3d_t", CL_MEM_OBJECT_IMAGE3D, "p", false, false},
	{"2d_depth", "image2d_depth_t", CL_MEM_OBJECT_IMAGE2D, "p.xy", true, false},
	{"2d_array_depth", "image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, "p", true, false},
};
static const size_t num_image_kernels = sizeof(image_kernels) / sizeof(image_kernels[0]);

/* A form's name, qualifier, whether it has a sampler, whether an image from a buffer has it, the type of its numbers, and what
 * it does: READ and WRITE with the arguments behind the image. */
static const struct image_form {
	const char *name, *qualifier;
	bool has_sampler, of_buffers;
	const char *numbers, *body;
} image_forms[] = {
	{"sample", "read_only", true, false, "float4", "out[g] = READ(s, AT);"},
	{"level", "read_only", true, false, "float4", "out[g] = READ(s, AT, p.w);"},
	{"place", "read_only", true, false, "int4", "out[g] = READ(s, AT);"},
	{"read", "read_only", false, true, "int4", "out[g] = READ(AT);"},
	{"write", "write_only", false, true, "int4", "WRITE(AT);"},
	{"both", "read_write", false, true, "int4", "out[g] = READ(AT); WRITE(AT);"},
	{"deep", "write_only", false, false, "int4", "WRITE(AT, p.w);"},
};

/* How texels become bits, and bits become texels. */
static const struct image_kind {
	const char *name, *to_bits, *from_bits;
} image_kinds[] = {
	{"f", "as_uint4(x)", "as_float4(colors[g])"},
	{"i", "as_uint4(x)", "as_int4(colors[g])"},
	{"ui", "(x)", "colors[g]"},
};

static inline void image_kernel(FILE *to, const struct image_kernels *image,
				const struct image_form *form, const struct image_kind *kind)
{
	const char *depth_bits = "(uint4)(as_uint(x), 0, 0, 0)", *depth = "as_float(colors[g].x)";

	fprintf(to,
		"#undef AT\n#undef BITS\n#undef READ\n#undef WRITE\n"
		"#define AT %s\n#define BITS(x) %s\n"
		"#define READ(...) BITS(read_image%s(image, __VA_ARGS__))\n"
		"#define WRITE(...) write_image%s(image, __VA_ARGS__, %s)\n"
		"kernel void %s_%s_%s(%s %s image, global const %s *in, global const uint4 "
		"*colors,\n"
		"                     global uint4 *out%s) {\n"
		"  size_t g = get_global_id(0);\n  %s p = in[g];\n  %s\n}\n",
		image->at, image->is_depth ? depth_bits : kind->to_bits, kind->name, kind->name,
		image->is_depth ? depth : kind->from_bits, form->name, image->name, kind->name,
		form->qualifier, image->image, form->numbers,
		form->has_sampler ? ", sampler_t s" : "", form->numbers, form->body);
}

/* Owned by the caller: free. */
static inline char *image_kernels_source(void)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(to);
	fprintf(to, "#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable\n"
		    "#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable\n");
	for (size_t i = 0; i < num_image_kernels; i++) {
		for (size_t j = 0; j < sizeof(image_forms) / sizeof(image_forms[0]); j++) {
			for (size_t k = 0; k < (image_kernels[i].is_depth ? 1 : 3); k++) {
				if (!image_kernels[i].is_buffer || image_forms[j].of_buffers)
					image_kernel(to, &image_kernels[i], &image_forms[j],
						     &image_kinds[k]);
			}
		}
	}
	fclose(to);
	return text;
}

#endif
