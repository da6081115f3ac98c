/* SPDX-License-Identifier: MIT
 *
 * Specialisations of a kernel: for one local size, for formats of images and for samplers (weft_compiler.specialise).
 */
#ifndef WEFT_SPECIALISATION_H
#define WEFT_SPECIALISATION_H

#include "compiler.h"
#include "link/builtins_library.h"

#include <cstdint>
#include <llvm/ADT/SmallVector.h>
#include <string>

namespace llvm
{
class Module;
} // namespace llvm

namespace weft
{

// The module as bitcode that specialisations are made of, without the functions' places in the source: no message of a
// specialisation names one, and each makes a list of attributes of its own.
void writeForSpecialisation(llvm::Module &module, llvm::SmallVectorImpl<char> &bitcode);

// Leaves one kernel. Makes it require the local size of every group, where one is given, and its parameters bear the
// constants of images and samplers. False: there is no such kernel, or it has not as many images and samplers.
bool keepSpecialised(llvm::Module &module, const weft_specialise_desc &desc);

// Links code for the accesses of images that the module makes, for inline-image-accesses. Behind the built-ins, which make
// them; `precompiled` as for them. False, with a line in the log: it cannot be linked.
bool linkImageCode(llvm::Module &module, Precompiled precompiled, std::string &log);

} // namespace weft

#endif
