/* SPDX-License-Identifier: MIT
 *
 * What passes tell about a kernel, as LLVM's remarks of one pass: weft_output.report has them, where it is asked for.
 */
#ifndef WEFT_PASSES_REMARKS_H
#define WEFT_PASSES_REMARKS_H

#include <llvm/ADT/Twine.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Function.h>

namespace weft
{

constexpr char remarkPass[] = "weft";

inline void addRemark(const llvm::Function &kernel, const llvm::Twine &text)
{
	llvm::OptimizationRemarkAnalysis remark(remarkPass, "kernel", llvm::DiagnosticLocation(),
						&kernel.getEntryBlock());
	remark << text.str();
	kernel.getContext().diagnose(remark);
}

} // namespace weft

#endif
