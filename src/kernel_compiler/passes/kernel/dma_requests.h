/* SPDX-License-Identifier: MIT
 *
 * Requests: calls by which the built-in copies of a work-group say what they copy (__weft_request and __weft_request_end,
 * weft_internal.h). They are left where cycles are counted, until count-cycles.
 */
#ifndef WEFT_PASSES_DMA_REQUESTS_H
#define WEFT_PASSES_DMA_REQUESTS_H

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>

namespace weft
{

constexpr char requestName[] = "__weft_request", requestEndName[] = "__weft_request_end";

bool isRequest(const llvm::Value &value);
bool isRequestEnd(const llvm::Value &value);

/* Adds the instructions between a request and its end: the copying that the DMA engine does. */
void addCopying(const llvm::Instruction &request,
		llvm::DenseSet<const llvm::Instruction *> &copying);

/* Removes them from the module. */
void removeRequests(llvm::Module &module);

} // namespace weft

#endif
