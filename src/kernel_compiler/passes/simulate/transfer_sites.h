/* SPDX-License-Identifier: MIT
 *
 * Accesses of global memory that one DMA request could replace. find-transfers tells place-transfers and count-cycles of them
 * by metadata of each access.
 */
#ifndef WEFT_PASSES_TRANSFER_SITES_H
#define WEFT_PASSES_TRANSFER_SITES_H

#include "kernel_abi.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace weft
{

/* Accesses with one number belong to one request. The region is not known before place-transfers. */
struct TransferSite {
	uint32_t number;
	weft_transfer_desc desc;
};

std::optional<TransferSite> transferOf(const llvm::Instruction &access);
void markTransfer(llvm::Instruction &access, const TransferSite &site);
void unmarkTransfer(llvm::Instruction &access);

bool isLoadOrStore(const llvm::Instruction &instruction);

/* Whether two accesses, of one work-item or of two, may touch one place in memory. */
bool mayOverlap(const llvm::Instruction &a, const llvm::Instruction &b, llvm::AAResults &aliases);

} // namespace weft

#endif
