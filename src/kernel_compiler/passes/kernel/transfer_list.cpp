/* SPDX-License-Identifier: MIT
 *
 * Transfers as metadata of their kernel, !weft.transfers !{!{region, flags, along, unit, lines, iterations, accesses}, …}.
 */
#include "kernel/transfer_list.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>

using namespace llvm;

namespace weft
{

static constexpr char transfersMetadata[] = "weft.transfers";

Metadata *transferField(LLVMContext &context, uint32_t number)
{
	return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), number));
}

uint32_t transferNumber(const MDNode &node, unsigned field)
{
	return uint32_t(mdconst::extract<ConstantInt>(node.getOperand(field))->getZExtValue());
}

SmallVector<Metadata *, 8> transferFields(LLVMContext &context, const weft_transfer_desc &desc)
{
	SmallVector<Metadata *, 8> fields;
	for (uint32_t number : {desc.region, desc.flags, desc.along, desc.unit, desc.lines,
				desc.iterations, desc.accesses})
		fields.push_back(transferField(context, number));
	return fields;
}

weft_transfer_desc readTransfer(const MDNode &node)
{
	return {.region = transferNumber(node, 0),
		.flags = transferNumber(node, 1),
		.along = transferNumber(node, 2),
		.unit = transferNumber(node, 3),
		.lines = transferNumber(node, 4),
		.iterations = transferNumber(node, 5),
		.accesses = transferNumber(node, 6)};
}

void setTransfers(Function &kernel, ArrayRef<weft_transfer_desc> transfers)
{
	LLVMContext &context = kernel.getContext();
	SmallVector<Metadata *, 4> rows;
	for (const weft_transfer_desc &row : transfers)
		rows.push_back(MDNode::get(context, transferFields(context, row)));
	kernel.setMetadata(transfersMetadata, rows.empty() ? nullptr : MDNode::get(context, rows));
}

SmallVector<weft_transfer_desc, 4> transfersOf(const Function &kernel)
{
	SmallVector<weft_transfer_desc, 4> rows;
	if (const MDNode *list = kernel.getMetadata(transfersMetadata)) {
		for (const MDOperand &row : list->operands())
			rows.push_back(readTransfer(*cast<MDNode>(row)));
	}
	return rows;
}

} // namespace weft
