/* SPDX-License-Identifier: MIT
 *
 * Makes the passes and analyses of PassRegistry.def known to a PassBuilder.
 */
#ifndef WEFT_PASS_REGISTRY_H
#define WEFT_PASS_REGISTRY_H

#include <llvm/Passes/PassBuilder.h>

namespace weft
{

/* Analyses, and the names of passes for textual pipelines; "weft" is the whole pipeline. */
void registerPasses(llvm::PassBuilder &builder);

/* The alias analyses that passes ask, of which the first that is sure answers: ours takes the least time. */
constexpr char aliasAnalyses[] = "weft-address-spaces,basic-aa,scoped-noalias-aa,tbaa,globals-aa";

/* Analyses alone, which every pipeline needs. */
void registerAnalyses(llvm::FunctionAnalysisManager &analyses);

} // namespace weft

#endif
