/* SPDX-License-Identifier: MIT
 *
 * Versions of a kernel for one local size (weft_compiler.specialise).
 */
#ifndef WEFT_SPECIALISATION_H
#define WEFT_SPECIALISATION_H

#include <cstddef>
#include <cstdint>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

namespace llvm
{
class Function;
class Module;
} // namespace llvm

namespace weft
{

// Of bitcode that versions are made of. Larger programs have none: they take seconds to compile, and a process that exits
// waits for a compilation under way.
constexpr size_t maxSpecialisationBytes = 64 * 1024;

// The module as bitcode that versions are made of, without the functions' places in the source: no message of a version
// names one, and each makes a list of attributes of its own. Leaves `bitcode` empty where it would be too large.
void writeForSpecialisation(llvm::Module &module, llvm::SmallVectorImpl<char> &bitcode);

// Leaves one kernel, and makes it require that size of every group. False: there is no such kernel.
bool keepForSize(llvm::Module &module, llvm::StringRef kernel, const uint32_t localSize[3]);

} // namespace weft

#endif
