/* SPDX-License-Identifier: MIT
 *
 * Makes a landscape at dusk: sky, clouds, three ridges in the haze, a lake that mirrors them, and a
 * sensor's noise. Deterministic: the same size gives the same picture everywhere.
 */
#include "photo.h"

#include <math.h>

struct colour {
	float r, g, b;
};

static struct colour mix(struct colour a, struct colour b, float t)
{
	t = fminf(fmaxf(t, 0.0f), 1.0f);
	return (struct colour){a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

static struct colour add(struct colour a, struct colour b, float t)
{
	return (struct colour){a.r + t * b.r, a.g + t * b.g, a.b + t * b.b};
}

static float hash(int32_t x, int32_t y)
{
	uint32_t h = (uint32_t)x * 0x9E3779B1u ^ (uint32_t)y * 0x85EBCA77u;

	h ^= h >> 15;
	h *= 0x2C1B3C6Du;
	h ^= h >> 12;
	h *= 0x297A2D39u;
	h ^= h >> 15;
	return (float)(h >> 8) / 16777216.0f;
}

/* Smooth noise in 0..1. */
static float noise(float x, float y)
{
	float fx = floorf(x), fy = floorf(y);
	int32_t ix = (int32_t)fx, iy = (int32_t)fy;
	float u = x - fx, v = y - fy;

	u = u * u * (3.0f - 2.0f * u);
	v = v * v * (3.0f - 2.0f * v);
	float top = hash(ix, iy) + u * (hash(ix + 1, iy) - hash(ix, iy));
	float bottom = hash(ix, iy + 1) + u * (hash(ix + 1, iy + 1) - hash(ix, iy + 1));
	return top + v * (bottom - top);
}

static float layers(float x, float y, int count)
{
	float sum = 0.0f, weight = 0.5f;

	for (int i = 0; i < count; i++) {
		sum += weight * noise(x, y);
		x = 2.03f * x + 17.1f;
		y = 2.03f * y + 9.7f;
		weight *= 0.5f;
	}
	return sum;
}

/* x: 0 (left) to 1.5; y: 0 (top) to 1. */
static struct colour sky(float x, float y)
{
	const struct colour zenith = {0.02f, 0.05f, 0.14f}, rose = {0.55f, 0.24f, 0.20f};
	const struct colour gold = {1.5f, 0.75f, 0.28f}, cloud_shade = {0.16f, 0.10f, 0.14f};
	const struct colour cloud_light = {1.3f, 0.50f, 0.25f};
	float dx = x - 0.98f, dy = y - 0.46f;
	float distance = sqrtf(dx * dx + dy * dy);

	struct colour colour = mix(zenith, rose, powf(fmaxf(y / 0.55f, 0.0f), 1.6f));
	colour = add(colour, gold, 0.9f * expf(-5.0f * distance));
	colour = add(colour, gold, 16.0f * expf(-powf(distance / 0.028f, 4.0f)));
	float cover = layers(2.2f * x + 0.4f, 9.0f * y * (1.0f + 0.4f * y), 7);
	float lit = layers(2.2f * x + 0.43f, 9.0f * y * (1.0f + 0.4f * y) + 0.25f, 5);
	float amount =
		fminf(fmaxf((cover - 0.44f) * 4.0f, 0.0f), 0.85f) * fminf(1.0f, 1.4f - 1.8f * y);
	struct colour cloud =
		mix(cloud_shade, cloud_light, (lit - 0.25f) * 1.2f + 0.5f * expf(-3.0f * distance));
	return mix(colour, cloud, amount);
}

static float ridge(float x, int which)
{
	static const float base[] = {0.44f, 0.51f, 0.565f}, height[] = {0.24f, 0.16f, 0.09f};
	static const float scale[] = {1.7f, 3.1f, 6.3f};

	float crest = layers(scale[which] * x + 11.3f * (float)which, 3.7f * (float)which, 9);
	return base[which] - height[which] * (crest - 0.42f) * 1.9f;
}

/* The sky and the land before it, y up to the shore at 0.62. */
static struct colour land(float x, float y)
{
	const struct colour haze = {0.42f, 0.24f, 0.21f}, rock = {0.030f, 0.028f, 0.040f};
	const struct colour wood = {0.010f, 0.014f, 0.010f};
	static const float depth[] = {0.55f, 0.24f, 0.04f};

	for (int which = 2; which >= 0; which--) {
		float crest = ridge(x, which);
		if (which == 2) /* trees */
			crest -= 0.012f * layers(210.0f * x, 0.5f, 3) * layers(14.0f * x, 2.5f, 3);
		if (y < crest)
			continue;
		float texture = layers(30.0f * x, 55.0f * y + 5.0f * (float)which, 6);
		struct colour ground = mix(rock, wood, which == 2 ? 1.0f : 2.0f * texture - 0.5f);
		ground = add(ground, haze, 0.10f * fmaxf(texture - 0.45f, 0.0f));
		float mist = depth[which] + 0.35f * expf(-(0.62f - y) * 28.0f);
		return mix(ground, haze, mist);
	}
	return sky(x, y);
}

static struct colour scene(float x, float y)
{
	const float shore = 0.62f;
	const struct colour water = {0.012f, 0.022f, 0.030f};

	if (y < shore)
		return land(x, y);
	float depth = (y - shore) / (1.0f - shore);
	float wave = layers(9.0f * x / (0.12f + depth), 60.0f * logf(0.03f + depth), 5) - 0.48f;
	float mirrored = shore - (y - shore) * (1.0f + 0.25f * depth) + 0.11f * wave * depth;
	struct colour colour = land(x + 0.02f * wave * depth, fmaxf(mirrored, 0.0f));
	return mix(colour, water, 0.22f + 0.5f * depth + 0.8f * wave);
}

struct picture make_scene(int width, int height)
{
	struct picture picture = {width, height, NULL};

	picture.pixels = allocate((size_t)width * (size_t)height, sizeof(*picture.pixels));
	for (int y = 0; y < height; y++) {
		for (int x = 0; x < width; x++) {
			struct colour colour = scene(((float)x + 0.5f) / (float)height,
						     ((float)y + 0.5f) / (float)height);
			const float channels[] = {colour.r, colour.g, colour.b};
			uint16_t *pixel = picture.pixels[(size_t)y * (size_t)width + (size_t)x];
			for (int i = 0; i < 3; i++) {
				float grain = hash(x * 3 + i, y + 7777) +
					      hash(x * 3 + i, y + 99999) - 1.0f;
				float light = 0.09f * channels[i];
				light += 0.011f * grain * sqrtf(light + 0.0004f);
				pixel[i] = (uint16_t)(fminf(fmaxf(light, 0.0f), 1.0f) * WHITE);
			}
			pixel[3] = UINT16_MAX;
		}
	}
	return picture;
}
