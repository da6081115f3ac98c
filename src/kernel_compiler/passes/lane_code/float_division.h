/* SPDX-License-Identifier: MIT
 *
 * Divisions of integers in floating point. CPUs have no division of integers for vectors, and one lane after the other costs more
 * than the scalar loop. But a floating point type of more bits has the same quotient once it is truncated: a quotient a / b that is
 * no integer lies at least 1 / b below the next integer, and rounding adds less than that as long as a has fewer bits than the
 * mantissa. Where all lanes have one divisor, each dividend is multiplied by its reciprocal, which loops need only once.
 * Doubles do not hold 64 bits: there the quotient is a product with a reciprocal a little too small, what remains of the dividend is
 * divided in the same way, and what then remains is less than two divisors. No step is past the quotient.
 */
#ifndef WEFT_PASSES_FLOAT_DIVISION_H
#define WEFT_PASSES_FLOAT_DIVISION_H

#include <llvm/IR/IRBuilder.h>

namespace weft
{

/* Of vectors, a division that they do in floating point (dividesAsFloat). `shared`: the divisor of each lane, if all have the same, or
 * NULL; a vector of the source for such a one. Where a divisor is 0 the result is poison. */
llvm::Value *divideAsFloat(llvm::IRBuilder<> &at, const llvm::BinaryOperator &division,
			   llvm::Value *dividend, llvm::Value *divisor, llvm::Value *shared);

} // namespace weft

#endif
