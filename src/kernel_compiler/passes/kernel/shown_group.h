/* SPDX-License-Identifier: MIT
 *
 * What a kernel may learn about the groups that its work-items are in. Where that is nothing, groups may run as one.
 */
#ifndef WEFT_PASSES_SHOWN_GROUP_H
#define WEFT_PASSES_SHOWN_GROUP_H

#include <llvm/IR/Function.h>

namespace weft
{

enum class Shown {
	Nothing,
	AlongX, /* nothing in groups of one work-item along x */
	Other,
};

/* What the kernel shows its work-items of their group: by barriers, local memory, ids and sizes, sub-groups, the order of printing, and calls of the host. */
Shown shownTo(const llvm::Function &kernel);

/* Whether groups will probably run as one. */
bool seemsToCoalesce(const llvm::Function &kernel);

} // namespace weft

#endif
