/* SPDX-License-Identifier: MIT
 *
 * Programs whose code is made quickly (weft_target.quick). A module flag says so, in archives, too.
 */
#ifndef WEFT_PASSES_QUICK_CODE_H
#define WEFT_PASSES_QUICK_CODE_H

#include <llvm/IR/Module.h>

namespace weft
{

/* Whether quick code gives the results of full code, and full code may take its place, which is made of the program's object. False for
 * programs
 * - with variables of program scope, which both would have to share,
 * - whose kernels enqueue others, by their number in the program.
 * Expects a module with the built-ins that it uses, after lower-fast-math. */
bool mayBeQuick(const llvm::Module &module);

void markQuick(llvm::Module &module);
bool isQuick(const llvm::Module &module);

} // namespace weft

#endif
