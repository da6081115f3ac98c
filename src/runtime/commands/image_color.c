/* SPDX-License-Identifier: MIT
 *
 * The bytes of a texel of a color. The conversions are those of kernels that write images (lib/builtins/image_formats.h), so a
 * fill has the same result as a kernel that writes the color, to the bit.
 */
#include "commands/image_command.h"
#include "image_formats.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(struct texel_words) == sizeof(struct weft_image_color), "all of a texel");

/* Of formats whose texels share bytes: their upper bits one after the other, and a byte with the lower bits of all. */
static void encode_raw(const struct weft_image_info *info, uint32_t value,
		       struct weft_image_color *encoded)
{
	const bool is_raw10 = info->group == 4;
	const uint32_t most = is_raw10 ? 0x3ff : 0xfff;

	value = value < most ? value : most;
	memset(encoded->bytes, (int)(value >> (is_raw10 ? 2 : 4)), info->group);
	encoded->bytes[info->group] =
		(unsigned char)(is_raw10 ? (value & 3) * 0x55 : (value & 15) * 0x11);
}

/* "The fill color is a single floating-point value if the channel order is CL_DEPTH" (5.3.4), else there are four. */
struct weft_image_color weft_image_encode(const struct weft_image_info *info, const void *color)
{
	const bool is_depth = info->format.image_channel_order == CL_DEPTH;
	struct texel texel = {0};
	struct weft_image_color encoded = {{0}};

	memcpy(&texel, color, is_depth ? sizeof(texel.r) : sizeof(texel));
	if (info->group > 1) {
		encode_raw(info, texel.r, &encoded);
		return encoded;
	}
	const struct texel_words words = texel_encode(info->view.format, texel);
	memcpy(&encoded, &words, sizeof(encoded));
	return encoded;
}
