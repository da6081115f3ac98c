/* SPDX-License-Identifier: MIT
 *
 * The transfers of a kernel (struct weft_transfer_desc), which place-transfers leaves for the kernel's descriptor. A kernel
 * whose cycles are not counted has none.
 */
#ifndef WEFT_PASSES_TRANSFER_LIST_H
#define WEFT_PASSES_TRANSFER_LIST_H

#include "kernel_abi.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Metadata.h>

namespace weft
{

/* All of a kernel's, by their numbers. */
void setTransfers(llvm::Function &kernel, llvm::ArrayRef<weft_transfer_desc> transfers);
llvm::SmallVector<weft_transfer_desc, 4> transfersOf(const llvm::Function &kernel);

/* A descriptor as operands of a node, and back. */
constexpr unsigned numTransferFields = sizeof(weft_transfer_desc) / sizeof(uint32_t);
llvm::SmallVector<llvm::Metadata *, 8> transferFields(llvm::LLVMContext &context,
						      const weft_transfer_desc &desc);
weft_transfer_desc readTransfer(const llvm::MDNode &node);
/* One number as an operand, and back. */
llvm::Metadata *transferField(llvm::LLVMContext &context, uint32_t number);
uint32_t transferNumber(const llvm::MDNode &node, unsigned field);

} // namespace weft

#endif
