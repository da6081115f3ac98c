/* SPDX-License-Identifier: MIT
 *
 * The way out where fission cannot tell that work-items stay together between barriers.
 */
#ifndef WEFT_PASSES_MERGE_REGION_EXITS_H
#define WEFT_PASSES_MERGE_REGION_EXITS_H

#include <llvm/IR/Function.h>

namespace weft
{

/* Makes one region of the whole kernel: every barrier leads to one block, the only one that begins with a
 * barrier afterwards, from where a switch leads each work-item to what came after its barrier. The size
 * grows by one case for each barrier. Barriers must begin their blocks. */
/* `parts`: barriers are in the place of meetings, and work-items come to different ones at the same time. The branch behind the one block
 * bears addedMetadata (ir/regions.h) then. */
void mergeRegionExits(llvm::Function &kernel, bool parts);

} // namespace weft

#endif
