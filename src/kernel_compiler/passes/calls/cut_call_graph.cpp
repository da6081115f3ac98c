/* SPDX-License-Identifier: MIT
 *
 * Edges of call graphs, removed.
 */
#include "calls/cut_call_graph.h"

using namespace llvm;

namespace weft
{

void cutCallsOf(CallGraph &graph, StringRef attribute)
{
	SmallPtrSet<CallGraphNode *, 8> found;
	for (auto &[function, node] : graph) {
		if (function && function->hasFnAttribute(attribute))
			found.insert(node.get());
	}
	if (found.empty())
		return;
	for (auto &[function, node] : graph) {
		for (auto call = node->begin(); call != node->end();) {
			/* Removing one moves the last one to its place. */
			if (found.contains(call->second))
				node->removeCallEdge(call);
			else
				++call;
		}
	}
	for (auto &[function, node] : graph) {
		if (found.contains(node.get()))
			graph.getExternalCallingNode()->addCalledFunction(nullptr, node.get());
	}
}

} // namespace weft
