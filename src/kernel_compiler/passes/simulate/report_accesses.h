/* SPDX-License-Identifier: MIT
 *
 * report-accesses: the host is told of each access of global memory.
 * Expects: kernels for one work-item that count cycles (count-cycles), in which accesses of global memory count nothing.
 * Ensures: weft_work_context.access is called before each of them, in the order of the program, and what it returns is
 *          added to what the work-item takes. Groups run one by one.
 * Keeps:   control flow, and what kernels compute.
 * Why here: what is counted as an access is there, and no other; work-items have no loops yet.
 */
#ifndef WEFT_PASSES_REPORT_ACCESSES_H
#define WEFT_PASSES_REPORT_ACCESSES_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct ReportAccessesPass : llvm::PassInfoMixin<ReportAccessesPass> {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
	static bool isRequired()
	{
		return true;
	}
};

} // namespace weft

#endif
