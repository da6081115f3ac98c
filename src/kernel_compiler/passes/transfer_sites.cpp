/* SPDX-License-Identifier: MIT
 *
 * Sites as metadata of accesses, !weft.transfer !{region, flags, along, unit, lines, rounds, accesses, number}, and of their
 * kernel, !weft.transfers !{!{region, …, accesses}, …}.
 */
#include "transfer_sites.h"

#include "internal_functions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr char transferMetadata[] = "weft.transfer", transfersMetadata[] = "weft.transfers";

constexpr unsigned numFields = sizeof(weft_transfer_desc) / sizeof(uint32_t);

Metadata *metadataOf(LLVMContext &context, uint32_t number)
{
	return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), number));
}

uint32_t numberIn(const MDNode &node, unsigned field)
{
	return uint32_t(mdconst::extract<ConstantInt>(node.getOperand(field))->getZExtValue());
}

SmallVector<Metadata *, 8> fieldsOf(LLVMContext &context, const weft_transfer_desc &desc)
{
	SmallVector<Metadata *, 8> fields;
	for (uint32_t number : {desc.region, desc.flags, desc.along, desc.unit, desc.lines,
				desc.rounds, desc.accesses})
		fields.push_back(metadataOf(context, number));
	return fields;
}

weft_transfer_desc descIn(const MDNode &node)
{
	return {.region = numberIn(node, 0),
		.flags = numberIn(node, 1),
		.along = numberIn(node, 2),
		.unit = numberIn(node, 3),
		.lines = numberIn(node, 4),
		.rounds = numberIn(node, 5),
		.accesses = numberIn(node, 6)};
}

} // namespace

std::optional<TransferSite> transferOf(const Instruction &access)
{
	const MDNode *node = access.getMetadata(transferMetadata);
	if (!node)
		return std::nullopt;
	return TransferSite{numberIn(*node, numFields), descIn(*node)};
}

void markTransfer(Instruction &access, const TransferSite &site)
{
	SmallVector<Metadata *, 8> fields = fieldsOf(access.getContext(), site.desc);
	fields.push_back(metadataOf(access.getContext(), site.number));
	access.setMetadata(transferMetadata, MDNode::get(access.getContext(), fields));
}

void unmarkTransfer(Instruction &access)
{
	access.setMetadata(transferMetadata, nullptr);
}

void setTransfers(Function &kernel, ArrayRef<weft_transfer_desc> transfers)
{
	LLVMContext &context = kernel.getContext();
	SmallVector<Metadata *, 4> rows;
	for (const weft_transfer_desc &row : transfers)
		rows.push_back(MDNode::get(context, fieldsOf(context, row)));
	kernel.setMetadata(transfersMetadata, rows.empty() ? nullptr : MDNode::get(context, rows));
}

SmallVector<weft_transfer_desc, 4> transfersOf(const Function &kernel)
{
	SmallVector<weft_transfer_desc, 4> rows;
	if (const MDNode *list = kernel.getMetadata(transfersMetadata)) {
		for (const MDOperand &row : list->operands())
			rows.push_back(descIn(*cast<MDNode>(row)));
	}
	return rows;
}

bool isLoadOrStore(const Instruction &instruction)
{
	return isa<LoadInst, StoreInst>(instruction);
}

bool mayOverlap(const Instruction &a, const Instruction &b, AAResults &aliases)
{
	const Value *left = getLoadStorePointerOperand(&a), *right = getLoadStorePointerOperand(&b);
	unsigned spaces[] = {left->getType()->getPointerAddressSpace(),
			     right->getType()->getPointerAddressSpace()};
	if (spaces[0] != GenericSpace && spaces[1] != GenericSpace &&
	    isPrivateOrLocal(spaces[0]) != isPrivateOrLocal(spaces[1]))
		return false;
	/* By different work-items: wherever in their objects. */
	return !aliases.isNoAlias(MemoryLocation::getBeforeOrAfter(left),
				  MemoryLocation::getBeforeOrAfter(right));
}

} // namespace weft
