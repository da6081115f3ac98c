/* SPDX-License-Identifier: MIT
 *
 * Accesses of global memory that one DMA request could stand for, and how find-transfers tells place-transfers and count-cycles
 * of them: by metadata of each access.
 */
#ifndef WEFT_PASSES_TRANSFER_SITES_H
#define WEFT_PASSES_TRANSFER_SITES_H

#include "kernel_abi.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace weft
{

/* Accesses with the same number are those of one request. Its region is not known before place-transfers. */
struct TransferSite {
	uint32_t number;
	weft_transfer_desc desc;
};

std::optional<TransferSite> transferOf(const llvm::Instruction &access);
void markTransfer(llvm::Instruction &access, const TransferSite &site);
void unmarkTransfer(llvm::Instruction &access);

bool isLoadOrStore(const llvm::Instruction &instruction);

/* Whether two accesses may touch the same memory, by one work-item or several. */
bool mayOverlap(const llvm::Instruction &a, const llvm::Instruction &b, llvm::AAResults &aliases);

} // namespace weft

#endif
