/* SPDX-License-Identifier: MIT
 *
 * Making code of the bytes of a kernel binary.
 */
#ifndef WEFT_RISCV_DECODE_H
#define WEFT_RISCV_DECODE_H

#include "riscv/code.h"
#include "status.h"

/* A part of the file that has instructions, and nothing else. */
struct riscv_section {
	const unsigned char *bytes;
	size_t size;
};

/* Decodes sections, which lie in one block of memory in the order of their addresses. What is no instruction that the simulator
 * knows faults when it is executed. WEFT_OUT_OF_MEMORY; then there is nothing to destroy. */
enum weft_status riscv_code_init(struct riscv_code *code, const struct riscv_section *sections,
				 size_t count) WEFT_MUST_CHECK;
/* All zeros are fine. */
void riscv_code_destroy(struct riscv_code *code);

/* The 32-bit form of a compressed instruction; 0, which is none, for what is reserved or not for 64 bits. */
uint32_t riscv_expand(uint16_t compressed);

#endif
