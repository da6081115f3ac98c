/* SPDX-License-Identifier: MIT
 *
 * What the options about arithmetic make of calls of built-in functions, before the functions are linked. What they make
 * of operators is for lower-fast-math.
 */
#ifndef WEFT_RELAXED_MATH_H
#define WEFT_RELAXED_MATH_H

namespace llvm
{
class Module;
} // namespace llvm

namespace weft
{

struct BuildOptions;

/* -cl-fast-relaxed-math: float functions become what the bounds of 7.4 for relaxed math allow. -cl-finite-math-only: fmax and
 * fmin need not look for NaN. -cl-denorms-are-zero: kernels are marked for flush-denormals. Whatever the options are, powers whose exponent is
 * 2 or 3 become products. */
void relaxMath(llvm::Module &module, const BuildOptions &options);

/* Whatever the options are: what is better made of a CPU's estimates of reciprocals and reciprocal roots, or of its instructions that take
 * numbers apart, becomes a function that uses these, within the bounds of 7.4. For a CPU with fine estimates
 * (code_generation.h), so not in what is kept for another. */
void useInstructions(llvm::Module &module);

} // namespace weft

#endif
