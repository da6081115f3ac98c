/* SPDX-License-Identifier: MIT
 *
 * Tests whether all lanes of a vector keep within the bounds of a clamp (lanes/clamps.h), by the numbers of its first and its last lane.
 */
#ifndef WEFT_PASSES_CLAMP_TESTS_H
#define WEFT_PASSES_CLAMP_TESTS_H

#include <llvm/IR/IRBuilder.h>

namespace weft
{

struct LaneTest {
	llvm::Value *holds = nullptr;
	llvm::Value *base = nullptr;     /* what all lanes' numbers lose where it holds */
	llvm::Value *quotient = nullptr; /* that all lanes have there */
};

/* Whether the number has the order to the bound in all lanes. Ranges are of signed numbers: an unsigned bound that is negative as
 * a signed one fails. */
llvm::Value *testOfOrder(llvm::CmpInst::Predicate predicate, llvm::Value &number,
			 llvm::Value &bound, llvm::IRBuilder<> &builder);

/* Whether all lanes' numbers lose the same: those that a mask takes have the same high bits, and those of which high bits are changed
 * differ in low ones alone. */
LaneTest testOfBits(const llvm::Instruction &clamp, llvm::Value &number, llvm::Value &bits,
		    unsigned lanes, llvm::IRBuilder<> &builder);

/* Whether all lanes' numbers have one quotient: they lie between a multiple of the divisor, which is the base, and the next one. A divisor
 * below 1 and a negative multiple fail, both as signed numbers. */
LaneTest testOfQuotient(const llvm::Instruction &division, llvm::Value &number, llvm::Value &bound,
			llvm::IRBuilder<> &builder);

} // namespace weft

#endif
