/* SPDX-License-Identifier: MIT
 *
 * Loads from tables of constants that fit in two registers: a permutation of these has all lanes' elements, where a gather would load
 * each. Nothing is read beyond a table, so an index need not be looked at.
 */
#ifndef WEFT_PASSES_CONSTANT_TABLES_H
#define WEFT_PASSES_CONSTANT_TABLES_H

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace weft
{

constexpr unsigned tableRegister = 64; /* bytes */

struct TableLoad {
	const llvm::ConstantDataSequential *table;
	llvm::Value *index; /* of the element, an integer of at most 64 bits */
	uint64_t first;     /* what is to be added to it */
};

/* nullopt: it is no such load, or the CPU does not permute two registers. */
std::optional<TableLoad> tableLoadOf(const llvm::LoadInst &load);

} // namespace weft

#endif
