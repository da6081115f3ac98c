/* SPDX-License-Identifier: MIT
 *
 * Whether work-items of an item loop may run twice, with the same results: nothing that they load is stored by a work-item of the loop.
 */
#ifndef WEFT_PASSES_IDEMPOTENT_ITEMS_H
#define WEFT_PASSES_IDEMPOTENT_ITEMS_H

#include "ir/item_loops.h"

#include <llvm/Analysis/AliasAnalysis.h>

namespace weft
{

enum class Idempotence {
	No,
	IfApart, /* if what the kernel writes through an argument is in no memory of another one (kernel/apart.h) */
	Yes
};

/* No, where it is not known. */
Idempotence idempotenceOf(const ItemLoop &item, llvm::AAResults &aliases);

} // namespace weft

#endif
