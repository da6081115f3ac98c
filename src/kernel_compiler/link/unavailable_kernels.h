/* SPDX-License-Identifier: MIT
 *
 * Kernels that this device cannot run, in programs whose other kernels it can.
 */
#ifndef WEFT_UNAVAILABLE_KERNELS_H
#define WEFT_UNAVAILABLE_KERNELS_H

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

#include <string>

namespace weft
{

/* Whether it is one of OpenCL C's functions that this device lacks. */
bool isUnavailable(const llvm::Function &function);

/* Takes the bodies of kernels that have such a parameter or lead to such a function; a line in the log for each. What is
 * then left over of such functions, no kernel leads to. */
void dropUnavailableKernels(llvm::Module &module, std::string &log);

} // namespace weft

#endif
