/* SPDX-License-Identifier: MIT
 *
 * A kernel binary of RISC-V, loaded: memory with its segments, relocated, and its decoded code. The structures of kernel_abi.h lie in
 * that memory, and are read where they lie; code addresses in them are those of RISC-V.
 */
#ifndef WEFT_RISCV_IMAGE_H
#define WEFT_RISCV_IMAGE_H

#include "kernel_abi.h"
#include "riscv/code.h"
#include "status.h"

/* Of the memory. */
struct riscv_part {
	size_t offset, size; /* bytes */
};

#define RISCV_MOST_VARIABLES 4

struct riscv_image {
	unsigned char *memory;                             /* owned */
	size_t size;                                       /* bytes */
	struct riscv_part variables[RISCV_MOST_VARIABLES]; /* all else is constant */
	size_t num_variables;
	struct riscv_code code;
	const struct weft_program_desc *program; /* in `memory` */
};

/* WEFT_INVALID_BINARY, WEFT_OUT_OF_MEMORY or WEFT_OUT_OF_RESOURCES; then there is nothing to destroy. `bytes` is borrowed for the
 * call. */
enum weft_status riscv_image_init(struct riscv_image *image, const void *bytes,
				  size_t size) WEFT_MUST_CHECK;
/* All zeros are fine. */
void riscv_image_destroy(struct riscv_image *image);

#endif
