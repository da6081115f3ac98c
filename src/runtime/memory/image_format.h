/* SPDX-License-Identifier: MIT
 *
 * Image formats: which pairs of a channel order and a channel data type there are, and which of them Weft offers.
 */
#ifndef WEFT_RUNTIME_IMAGE_FORMAT_H
#define WEFT_RUNTIME_IMAGE_FORMAT_H

#include "object/object.h"

/* Newer than Debian's headers. */
#ifndef CL_UNSIGNED_INT_RAW10_EXT
#define CL_UNSIGNED_INT_RAW10_EXT 0x10E3
#define CL_UNSIGNED_INT_RAW12_EXT 0x10E4
#endif
#ifndef CL_UNORM_INT_2_101010_EXT
#define CL_UNORM_INT_2_101010_EXT 0x10E5
#endif

/* Whether the specification has the pair: known values, a type that suits the order, and as many bits to a texel as a
 * power of two. */
bool weft_image_format_valid(const cl_image_format *format);
/* Whether images of the type can have the format. Such formats can be read, written, and both in one kernel. RAW10 and RAW12
 * (cl_ext_image_raw10_raw12) are for 2D images with CL_MEM_READ_ONLY among the flags. */
bool weft_image_format_offered(const cl_image_format *format, cl_mem_object_type type,
			       cl_mem_flags flags);
/* CL_IMAGE_ELEMENT_SIZE of a valid format. */
size_t weft_image_texel_size(const cl_image_format *format);
/* Texels that share bytes, and those bytes: 1 and the texel's size, but for RAW10 and RAW12. */
cl_uint weft_image_texel_group(const cl_image_format *format, size_t *bytes);
/* What the address and the row pitch of an image in a buffer are multiples of: bytes. */
size_t weft_image_alignment(const cl_image_format *format);
#define WEFT_IMAGE_ALIGNMENT_MAX 16

/* All that are offered for the type, the most usual first; not RAW10 and RAW12, because applications, and the conformance
 * suite, take a format of the list with any width. Writes up to `capacity` of them; returns how many there are. */
cl_uint weft_image_formats(cl_mem_object_type type, cl_uint capacity, cl_image_format *formats);

/* Whether a 2D image with the second order can be made from one with the first and the same type: the table "Compatible
 * Image Channel Orders" (5.3.1.2). */
bool weft_image_orders_compatible(cl_channel_order order, cl_channel_order view);

#endif
