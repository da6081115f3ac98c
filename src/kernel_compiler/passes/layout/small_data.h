/* SPDX-License-Identifier: MIT
 *
 * Numbers that follow from loaded bytes alone, such as `k = c[i]` and `k = (k * 3) >> 2`: small ones, by which places lie near each other
 * that differ by nothing else.
 */
#ifndef WEFT_PASSES_SMALL_DATA_H
#define WEFT_PASSES_SMALL_DATA_H

#include "layout/id_rows.h"

namespace weft
{

/* Their steps from one work-item to the next: 0, but for what data change. */
KnownSteps stepsOfSmallData(llvm::Function &kernel);

} // namespace weft

#endif
