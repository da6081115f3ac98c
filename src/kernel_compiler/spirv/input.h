/* SPDX-License-Identifier: MIT
 *
 * A SPIR-V module as an application gives it.
 */
#ifndef WEFT_SPIRV_INPUT_H
#define WEFT_SPIRV_INPUT_H

#include "llvm/ADT/ArrayRef.h"

namespace weft
{

/* The value of one specialisation constant (clSetProgramSpecializationConstant). */
struct SpirvSpecialisation {
	uint32_t id; /* the operand of its SpecId decoration */
	llvm::ArrayRef<uint8_t> value;
};

/* All is borrowed for the call. */
struct SpirvInput {
	const void *words; /* in either byte order; need not be aligned */
	size_t bytes;
	llvm::ArrayRef<SpirvSpecialisation>
		specialisations;  /* of a number twice: the last counts */
	bool zeroPrivate = false; /* as weft_compile_desc.zero_private and zero_local */
	bool zeroLocal = false;
};

} // namespace weft

#endif
