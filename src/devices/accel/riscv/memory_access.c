/* SPDX-License-Identifier: MIT
 *
 * Loads, stores and atomic operations. Any alignment will do, but for atomic operations. What several work-items access is theirs
 * to order, as on any device.
 */
#include "riscv/instruction.h"

#include <stdatomic.h>
#include <string.h>

/* ---- loads and stores ------------------------------------------------------------------------ */

#define RISCV_LOAD(name, type, file, extend)                                                       \
	RISCV_EXECUTE(name)                                                                        \
	{                                                                                          \
		const void *place =                                                                \
			riscv_reach_to_load(hart, at, riscv_immediate(at), sizeof(type));          \
		type value;                                                                        \
                                                                                                   \
		if (!place)                                                                        \
			return NULL;                                                               \
		memcpy(&value, place, sizeof(value));                                              \
		hart->file[at->rd] = extend;                                                       \
		return at + 1;                                                                     \
	}

RISCV_LOAD(lb, int8_t, x, (uint64_t)value)
RISCV_LOAD(lh, int16_t, x, (uint64_t)value)
RISCV_LOAD(lw, int32_t, x, (uint64_t)value)
RISCV_LOAD(ld, uint64_t, x, value)
RISCV_LOAD(lbu, uint8_t, x, value)
RISCV_LOAD(lhu, uint16_t, x, value)
RISCV_LOAD(lwu, uint32_t, x, value)
/* What is narrower than a register has ones above it. */
RISCV_LOAD(flh, uint16_t, f, value | ~UINT64_C(0xffff))
RISCV_LOAD(flw, uint32_t, f, value | ~UINT64_C(0xffffffff))
RISCV_LOAD(fld, uint64_t, f, value)

#define RISCV_STORE(name, type, file)                                                              \
	RISCV_EXECUTE(name)                                                                        \
	{                                                                                          \
		void *place = riscv_reach_to_store(hart, at, riscv_immediate(at), sizeof(type),    \
						   WEFT_GLOBAL_STORES);                            \
		const type value = (type)hart->file[at->rs2];                                      \
                                                                                                   \
		if (!place)                                                                        \
			return NULL;                                                               \
		memcpy(place, &value, sizeof(value));                                              \
		return at + 1;                                                                     \
	}

RISCV_STORE(sb, uint8_t, x)
RISCV_STORE(sh, uint16_t, x)
RISCV_STORE(sw, uint32_t, x)
RISCV_STORE(sd, uint64_t, x)
RISCV_STORE(fsh, uint16_t, f)
RISCV_STORE(fsw, uint32_t, f)
RISCV_STORE(fsd, uint64_t, f)

/* ---- atomic operations ----------------------------------------------------------------------- */

/* What loads and stores takes the time of two accesses. */
static void *reach_aligned(struct riscv_hart *hart, const struct riscv_instruction *at, size_t size,
			   uint32_t kind)
{
	const uint64_t address = hart->x[at->rs1];

	kind |= WEFT_GLOBAL_ATOMIC | (at->immediate ? WEFT_GLOBAL_ORDERED : 0u);
	if (address % size == 0)
		return riscv_reach_range(hart, at, address, size, kind);
	riscv_fault(hart, at, "a misaligned atomic access", address);
	return NULL;
}

#define BOTH (WEFT_GLOBAL_LOADS | WEFT_GLOBAL_STORES)

/* `extend`: to 64 bits. All are sequentially consistent, whatever the word says. */
#define RISCV_EXCHANGE(name, type, function, extend)                                               \
	RISCV_EXECUTE(name)                                                                        \
	{                                                                                          \
		_Atomic type *place = reach_aligned(hart, at, sizeof(type), BOTH);                 \
                                                                                                   \
		if (!place)                                                                        \
			return NULL;                                                               \
		hart->x[at->rd] = extend(function(place, (type)hart->x[at->rs2]));                 \
		return at + 1;                                                                     \
	}
#define RISCV_EXCHANGES(name, function)                                                            \
	RISCV_EXCHANGE(name##_w, uint32_t, function, riscv_word)                                   \
	RISCV_EXCHANGE(name##_d, uint64_t, function, )

RISCV_EXCHANGES(amoswap, atomic_exchange)
RISCV_EXCHANGES(amoadd, atomic_fetch_add)
RISCV_EXCHANGES(amoxor, atomic_fetch_xor)
RISCV_EXCHANGES(amoand, atomic_fetch_and)
RISCV_EXCHANGES(amoor, atomic_fetch_or)

#define RISCV_CHOOSE(name, type, compared, operator, extend)                                       \
	RISCV_EXECUTE(name)                                                                        \
	{                                                                                          \
		_Atomic type *place = reach_aligned(hart, at, sizeof(type), BOTH);                 \
		const type value = (type)hart->x[at->rs2];                                         \
                                                                                                   \
		if (!place)                                                                        \
			return NULL;                                                               \
		type before = atomic_load(place);                                                  \
		while (!atomic_compare_exchange_weak(                                              \
			place, &before,                                                            \
			(compared)before operator(compared) value ? before : value))               \
			;                                                                          \
		hart->x[at->rd] = extend(before);                                                  \
		return at + 1;                                                                     \
	}

RISCV_CHOOSE(amomin_w, uint32_t, int32_t, <, riscv_word)
RISCV_CHOOSE(amomax_w, uint32_t, int32_t, >, riscv_word)
RISCV_CHOOSE(amominu_w, uint32_t, uint32_t, <, riscv_word)
RISCV_CHOOSE(amomaxu_w, uint32_t, uint32_t, >, riscv_word)
RISCV_CHOOSE(amomin_d, uint64_t, int64_t, <, )
RISCV_CHOOSE(amomax_d, uint64_t, int64_t, >, )
RISCV_CHOOSE(amominu_d, uint64_t, uint64_t, <, )
RISCV_CHOOSE(amomaxu_d, uint64_t, uint64_t, >, )

/* ---- load-reserved, store-conditional -------------------------------------------------------- */

/* The store is done if the memory still has the value that was loaded: all that a compiler makes of the two is
 * compare-and-exchange, for which that is enough. */
#define RISCV_RESERVE(name, type, extend)                                                          \
	RISCV_EXECUTE(name)                                                                        \
	{                                                                                          \
		_Atomic type *place = reach_aligned(hart, at, sizeof(type), WEFT_GLOBAL_LOADS);    \
                                                                                                   \
		if (!place)                                                                        \
			return NULL;                                                               \
		hart->reservation.address = (uintptr_t)place;                                      \
		hart->reservation.value = atomic_load(place);                                      \
		hart->x[at->rd] = extend((type)hart->reservation.value);                           \
		return at + 1;                                                                     \
	}

RISCV_RESERVE(lr_w, uint32_t, riscv_word)
RISCV_RESERVE(lr_d, uint64_t, )

#define RISCV_CONDITIONAL(name, type)                                                              \
	RISCV_EXECUTE(name)                                                                        \
	{                                                                                          \
		_Atomic type *place = reach_aligned(hart, at, sizeof(type), WEFT_GLOBAL_STORES);   \
		type before = (type)hart->reservation.value;                                       \
                                                                                                   \
		if (!place)                                                                        \
			return NULL;                                                               \
		const bool stored =                                                                \
			hart->reservation.address == (uintptr_t)place &&                           \
			atomic_compare_exchange_strong(place, &before, (type)hart->x[at->rs2]);    \
		hart->reservation.address = 0;                                                     \
		hart->x[at->rd] = !stored;                                                         \
		return at + 1;                                                                     \
	}

RISCV_CONDITIONAL(sc_w, uint32_t)
RISCV_CONDITIONAL(sc_d, uint64_t)
