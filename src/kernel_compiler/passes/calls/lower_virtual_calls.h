/* SPDX-License-Identifier: MIT
 *
 * lower-virtual-calls: objects know their class by a number, and calls of virtual functions branch by it.
 * Expects: a front end's module with all objects of the program, and Clang's notes which loads are those of the address of a class's table (TBAA).
 * Ensures: what an object begins with is not the address of its class's table but a number (function_addresses.h). A call of a virtual function
 *          is a call of a function of the program's, which branches by the number to the function of each class. What else is read
 *          from a table is a constant that such a branch chooses, or is read from the program's own table, or is zero where that has no such place. For a number of no class
 *          __weft_wrong_call is called, and the result is zero. Tables that nothing needs are gone.
 * Keeps:   all else.
 * Why here: before lower-cxx-objects, since pure virtual functions tell where a table begins; before lower-indirect-calls, to which virtual
 *          calls would be others. An object's number means the same to each device, and saves two loads.
 */
#ifndef WEFT_PASSES_LOWER_VIRTUAL_CALLS_H
#define WEFT_PASSES_LOWER_VIRTUAL_CALLS_H

#include "ir/required_pass.h"

namespace weft
{

struct LowerVirtualCallsPass : llvm::PassInfoMixin<LowerVirtualCallsPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
