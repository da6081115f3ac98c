/* SPDX-License-Identifier: MIT
 *
 * report-accesses: calls the host before each access of global memory.
 * Expects: kernels for one work-item that count cycles (count-cycles), in which accesses of global memory count nothing.
 * Ensures: weft_work_context.access is called before each of these accesses, in the order of the program, and its result is
 *          added to the work-item's cycles. Groups run one by one.
 * Keeps:   control flow, and what kernels compute.
 * Why here: exactly the accesses that count are there; there are no loops over work-items yet.
 */
#ifndef WEFT_PASSES_REPORT_ACCESSES_H
#define WEFT_PASSES_REPORT_ACCESSES_H

#include "ir/required_pass.h"

namespace weft
{

struct ReportAccessesPass : llvm::PassInfoMixin<ReportAccessesPass>, RequiredPass {
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace weft

#endif
