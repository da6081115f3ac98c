/* SPDX-License-Identifier: MIT
 *
 * Kernels compute with rounding to nearest, denormals kept and every exception masked, whatever the
 * application's thread (or the thread that started a worker) has set. On x86 without fenv.h, whose
 * functions would need libm.
 */
#ifndef WEFT_DEVICES_FLOAT_ENVIRONMENT_H
#define WEFT_DEVICES_FLOAT_ENVIRONMENT_H

#include <stdint.h>

#if defined(__x86_64__)
#include <xmmintrin.h>

#define WEFT_FLOAT_DEFAULT 0x1f80u
#define WEFT_FLOAT_FLAGS 0x3fu /* sticky, harmless */

/* Returns what weft_float_leave restores. */
static inline uint32_t weft_float_enter(void)
{
	uint32_t old = _mm_getcsr();

	if ((old & ~WEFT_FLOAT_FLAGS) != WEFT_FLOAT_DEFAULT)
		_mm_setcsr(WEFT_FLOAT_DEFAULT);
	return old;
}

static inline void weft_float_leave(uint32_t old)
{
	_mm_setcsr(old);
}

/* Does this for the x87 unit; printf of the C library follows its rounding mode. */
static inline uint16_t weft_x87_enter(void)
{
	const uint16_t preset = 0x37f;
	uint16_t old;

	__asm__ volatile("fnstcw %0" : "=m"(old));
	__asm__ volatile("fldcw %0" : : "m"(preset));
	return old;
}

static inline void weft_x87_leave(uint16_t old)
{
	__asm__ volatile("fldcw %0" : : "m"(old));
}
#else
#include <fenv.h>

static inline uint32_t weft_float_enter(void)
{
	int old = fegetround();

	fesetround(FE_TONEAREST);
	return (uint32_t)old;
}

static inline void weft_float_leave(uint32_t old)
{
	fesetround((int)old);
}

static inline uint16_t weft_x87_enter(void)
{
	return 0;
}

static inline void weft_x87_leave(uint16_t old)
{
	(void)old;
}
#endif

#endif
