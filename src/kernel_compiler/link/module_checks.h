/* SPDX-License-Identifier: MIT
 *
 * What is checked of a merged module before our passes see it.
 */
#ifndef WEFT_MODULE_CHECKS_H
#define WEFT_MODULE_CHECKS_H

#include "llvm/IR/Module.h"

#include <string>

namespace weft
{

/* Whether vectors and variables have sizes that a compiler can be asked to deal with: it gets slow
 * beyond any use long before something breaks. What is too large is a line in the log. */
bool checkSizes(const llvm::Module &module, std::string &log);

/* Alignments beyond what memory of work-items, of groups or of programs is given become less, with a line in the log. */
void boundAlignments(llvm::Module &module, std::string &log);

/* Whether the module lacks no definition but those that the passes supply; each one missing is a
 * line in the log. */
bool checkAllDefined(const llvm::Module &module, std::string &log);

/* Whether it will lack none when it has been linked with the built-in functions. */
bool hasAllDefinitions(const llvm::Module &module);

} // namespace weft

#endif
