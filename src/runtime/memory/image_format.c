/* SPDX-License-Identifier: MIT
 *
 * The table of image formats (specification 5.3.1.1).
 */
#include "memory/image_format.h"

#define BIT(type) (UINT32_C(1) << ((type) - CL_SNORM_INT8))
#define UNORM_8_16 (BIT(CL_UNORM_INT8) | BIT(CL_UNORM_INT16))
#define SNORM_8_16 (BIT(CL_SNORM_INT8) | BIT(CL_SNORM_INT16))
#define FLOATS (BIT(CL_HALF_FLOAT) | BIT(CL_FLOAT))
#define INTEGERS                                                                                   \
	(BIT(CL_SIGNED_INT8) | BIT(CL_SIGNED_INT16) | BIT(CL_SIGNED_INT32) |                       \
	 BIT(CL_UNSIGNED_INT8) | BIT(CL_UNSIGNED_INT16) | BIT(CL_UNSIGNED_INT32))
#define BYTES                                                                                      \
	(BIT(CL_UNORM_INT8) | BIT(CL_SNORM_INT8) | BIT(CL_UNSIGNED_INT8) | BIT(CL_SIGNED_INT8))
#define NORMALIZED_AND_FLOATS (UNORM_8_16 | SNORM_8_16 | FLOATS)
#define ALL (NORMALIZED_AND_FLOATS | INTEGERS)
#define PACKED_RGB (BIT(CL_UNORM_SHORT_565) | BIT(CL_UNORM_SHORT_555) | BIT(CL_UNORM_INT_101010))

/* What the channels of an order may be. `channels`: as many as a texel has room for. The conformance tests take the x of Rx and
 * RGx for no channel, and the x of RGBx for one; so do we, for with the text's sizes a texel of RGx would not have a power of two
 * of bits. `depth`: only 2D images and arrays of them (OpenCL C has no other image types for it). */
static const struct order {
	cl_channel_order order;
	cl_uint channels;
	uint32_t types; /* that are offered */
	bool depth;
} orders[] = {
	{CL_RGBA, 4, ALL | BIT(CL_UNORM_INT_101010_2), false},
	{CL_BGRA, 4, BYTES, false},
	{CL_R, 1, ALL, false}, /* and the raw types, which stand apart */
	{CL_RG, 2, ALL, false},
	{CL_sRGBA, 4, BIT(CL_UNORM_INT8), false},
	{CL_sBGRA, 4, BIT(CL_UNORM_INT8), false},
	{CL_sRGBx, 4, BIT(CL_UNORM_INT8), false},
	{CL_sRGB, 3, 0, false},
	{CL_ARGB, 4, BYTES, false},
	{CL_ABGR, 4, BYTES | BIT(CL_UNORM_INT_2_101010_EXT), false},
	{CL_RGB, 3, PACKED_RGB, false},
	/* No integers: the text's alpha of a read is 1, the conformance suite's is 0. */
	{CL_RGBx, 4, PACKED_RGB | BIT(CL_UNORM_INT8) | BIT(CL_SNORM_INT8), false},
	{CL_DEPTH, 1, BIT(CL_UNORM_INT16) | BIT(CL_FLOAT), true},
	{CL_A, 1, ALL, false},
	{CL_RA, 2, ALL, false},
	{CL_INTENSITY, 1, NORMALIZED_AND_FLOATS, false},
	{CL_LUMINANCE, 1, NORMALIZED_AND_FLOATS, false},
	{CL_Rx, 1, ALL, false},
	{CL_RGx, 2, ALL, false},
	{CL_DEPTH_STENCIL, 2, 0, false},
};
#define NUM_ORDERS (sizeof(orders) / sizeof(orders[0]))

/* Bytes of a channel; or, of a packed type, of the texel, and the orders that it can have. */
static const struct type {
	cl_channel_type type;
	size_t bytes;
	cl_channel_order packed[2]; /* zeros: any order, not packed */
} types[] = {
	{CL_UNORM_INT8, 1, {0}},
	{CL_UNORM_INT16, 2, {0}},
	{CL_SNORM_INT8, 1, {0}},
	{CL_SNORM_INT16, 2, {0}},
	{CL_UNSIGNED_INT8, 1, {0}},
	{CL_UNSIGNED_INT16, 2, {0}},
	{CL_UNSIGNED_INT32, 4, {0}},
	{CL_SIGNED_INT8, 1, {0}},
	{CL_SIGNED_INT16, 2, {0}},
	{CL_SIGNED_INT32, 4, {0}},
	{CL_HALF_FLOAT, 2, {0}},
	{CL_FLOAT, 4, {0}},
	{CL_UNORM_SHORT_565, 2, {CL_RGB, CL_RGBx}},
	{CL_UNORM_SHORT_555, 2, {CL_RGB, CL_RGBx}},
	{CL_UNORM_INT_101010, 4, {CL_RGB, CL_RGBx}},
	{CL_UNORM_INT_101010_2, 4, {CL_RGBA, CL_RGBA}},
	{CL_UNORM_INT_2_101010_EXT, 4, {CL_ABGR, CL_ABGR}},
	{CL_UNORM_INT24, 4, {CL_DEPTH_STENCIL, CL_DEPTH_STENCIL}},
	{CL_UNSIGNED_INT_RAW10_EXT, 2, {CL_R, CL_R}},
	{CL_UNSIGNED_INT_RAW12_EXT, 2, {CL_R, CL_R}},
};
#define NUM_TYPES (sizeof(types) / sizeof(types[0]))

static const struct order *find_order(cl_channel_order order)
{
	for (size_t i = 0; i < NUM_ORDERS; i++) {
		if (orders[i].order == order)
			return &orders[i];
	}
	return NULL;
}

static const struct type *find_type(cl_channel_type type)
{
	for (size_t i = 0; i < NUM_TYPES; i++) {
		if (types[i].type == type)
			return &types[i];
	}
	return NULL;
}

static size_t texel_size(const struct order *order, const struct type *type)
{
	return type->packed[0] ? type->bytes : type->bytes * order->channels;
}

bool weft_image_format_valid(const cl_image_format *format)
{
	const struct order *order = find_order(format->image_channel_order);
	const struct type *type = find_type(format->image_channel_data_type);

	if (!order || !type)
		return false;
	if (type->packed[0])
		return order->order == type->packed[0] || order->order == type->packed[1];
	size_t size = texel_size(order, type);
	return (size & (size - 1)) == 0;
}

static bool offers(const struct order *order, const struct type *type, cl_mem_object_type image)
{
	return (order->types & BIT(type->type)) &&
	       (!order->depth || image == CL_MEM_OBJECT_IMAGE2D ||
		image == CL_MEM_OBJECT_IMAGE2D_ARRAY);
}

static bool is_raw(const cl_image_format *format)
{
	return format->image_channel_data_type == CL_UNSIGNED_INT_RAW10_EXT ||
	       format->image_channel_data_type == CL_UNSIGNED_INT_RAW12_EXT;
}

bool weft_image_format_offered(const cl_image_format *format, cl_mem_object_type image,
			       cl_mem_flags flags)
{
	const struct order *order = find_order(format->image_channel_order);
	const struct type *type = find_type(format->image_channel_data_type);

	if (is_raw(format))
		return image == CL_MEM_OBJECT_IMAGE2D && (flags & CL_MEM_READ_ONLY);
	return order && type && offers(order, type, image);
}

size_t weft_image_texel_size(const cl_image_format *format)
{
	return texel_size(find_order(format->image_channel_order),
			  find_type(format->image_channel_data_type));
}

cl_uint weft_image_texel_group(const cl_image_format *format, size_t *bytes)
{
	const bool raw10 = format->image_channel_data_type == CL_UNSIGNED_INT_RAW10_EXT;

	*bytes = weft_image_texel_size(format);
	if (!is_raw(format))
		return 1;
	*bytes = raw10 ? 5 : 3;
	return raw10 ? 4 : 2;
}

size_t weft_image_alignment(const cl_image_format *format)
{
	return is_raw(format) ? 1 : weft_image_texel_size(format);
}

cl_uint weft_image_formats(cl_mem_object_type image, cl_uint capacity, cl_image_format *formats)
{
	cl_uint count = 0;

	for (size_t i = 0; i < NUM_ORDERS * NUM_TYPES; i++) {
		const struct order *order = &orders[i / NUM_TYPES];
		const struct type *type = &types[i % NUM_TYPES];

		if (!offers(order, type, image))
			continue;
		if (count < capacity)
			formats[count] = (cl_image_format){order->order, type->type};
		count++;
	}
	return count;
}

bool weft_image_orders_compatible(cl_channel_order order, cl_channel_order view)
{
	static const cl_channel_order pairs[][2] = {
		{CL_BGRA, CL_sBGRA}, {CL_RGBA, CL_sRGBA}, {CL_RGB, CL_sRGB}, {CL_RGBx, CL_sRGBx}};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if ((order == pairs[i][0] && view == pairs[i][1]) ||
		    (order == pairs[i][1] && view == pairs[i][0]))
			return true;
	}
	return order == CL_R && view == CL_DEPTH;
}
