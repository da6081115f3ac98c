/* SPDX-License-Identifier: MIT
 *
 * In which order groups that run one by one follow each other.
 */
#ifndef WEFT_PASSES_GROUP_ORDER_H
#define WEFT_PASSES_GROUP_ORDER_H

#include <llvm/IR/Function.h>

namespace weft
{

/* Whether groups access memory better that follow each other along y: what they store is far apart along x and near each other along y, and
 * nothing that they access is far apart along y. The kernel has no global ids any more (coalesce-work-groups). */
bool groupsSuitY(const llvm::Function &kernel);

} // namespace weft

#endif
