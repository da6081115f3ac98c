/* SPDX-License-Identifier: MIT
 *
 * A call graph without the calls of some functions.
 */
#ifndef WEFT_PASSES_CUT_CALL_GRAPH_H
#define WEFT_PASSES_CUT_CALL_GRAPH_H

#include <llvm/Analysis/CallGraph.h>

namespace weft
{

/* Takes the calls of all functions with the attribute out of the graph. From outside they are still called. */
void cutCallsOf(llvm::CallGraph &graph, llvm::StringRef attribute);

} // namespace weft

#endif
