/* SPDX-License-Identifier: MIT
 *
 * Operations on integers of 8 and 16 bits, also as C has them: on 32 bits, of which no more than 16 are kept.
 */
#ifndef WEFT_PASSES_SMALL_INTEGERS_H
#define WEFT_PASSES_SMALL_INTEGERS_H

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>

namespace weft
{

using SmallIntegers = llvm::SmallPtrSet<const llvm::Value *, 32>;

SmallIntegers smallIntegers(const llvm::Function &kernel);

} // namespace weft

#endif
