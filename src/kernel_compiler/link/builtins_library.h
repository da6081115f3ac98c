/* SPDX-License-Identifier: MIT
 *
 * The OpenCL C built-in functions, embedded in the compiler (lib/builtins).
 */
#ifndef WEFT_BUILTINS_LIBRARY_H
#define WEFT_BUILTINS_LIBRARY_H

#include <string>

namespace llvm
{
class Module;
}

namespace weft
{

// A function that the program defines may have a built-in's name, which the program then does not use: it gets another one, since other
// built-in functions do use it.
void renameOwnBuiltins(llvm::Module &module);

// Which precompiled functions a module calls: none, those that are rarely needed parts of built-in functions, or whole built-in functions
// as well, which inlined code is faster than.
enum class Precompiled { None, Parts, All };

// Defines every built-in function that the module (spir64, before it is given the host's layout) declares
// and lacks, and what those need in turn: internal, and alwaysinline unless large. Only the library's
// members that define one of them are read. Functions that are no built-ins stay declarations, and so do
// precompiled functions (precompiled_functions.h) that are to be called. False, with a line in the log, when the library cannot be read.
bool linkBuiltins(llvm::Module &module, Precompiled precompiled, std::string &log);

// Whether the library defines a function of this (mangled) name.
bool isBuiltin(const std::string &name);

} // namespace weft

#endif
