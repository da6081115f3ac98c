/* SPDX-License-Identifier: MIT
 *
 * What the options about arithmetic make of calls of built-in functions, before the functions are linked. What they make
 * of operators is Clang's business.
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

/* `mayEstimate`, of a CPU with fine estimates (code_generation.h): reciprocal roots are improved estimates.
 * -cl-fast-relaxed-math: float functions become what the bounds of 7.4 for relaxed math allow; reciprocals and roots
 * too, where the CPU estimates. -cl-finite-math-only: fmax
 * and fmin need not look for NaN. -cl-denorms-are-zero: kernels are marked for flush-denormals. */
void relaxMath(llvm::Module &module, bool mayEstimate, const BuildOptions &options);

} // namespace weft

#endif
