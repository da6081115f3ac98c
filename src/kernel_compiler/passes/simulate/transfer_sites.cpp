/* SPDX-License-Identifier: MIT
 *
 * Sites as metadata of accesses, !weft.transfer !{region, flags, along, unit, lines, iterations, accesses, number}.
 */
#include "simulate/transfer_sites.h"

#include "functions/internal_functions.h"
#include "kernel/transfer_list.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr char transferMetadata[] = "weft.transfer";

} // namespace

std::optional<TransferSite> transferOf(const Instruction &access)
{
	const MDNode *node = access.getMetadata(transferMetadata);
	if (!node)
		return std::nullopt;
	return TransferSite{transferNumber(*node, numTransferFields), readTransfer(*node)};
}

void markTransfer(Instruction &access, const TransferSite &site)
{
	SmallVector<Metadata *, 8> fields = transferFields(access.getContext(), site.desc);
	fields.push_back(transferField(access.getContext(), site.number));
	access.setMetadata(transferMetadata, MDNode::get(access.getContext(), fields));
}

void unmarkTransfer(Instruction &access)
{
	access.setMetadata(transferMetadata, nullptr);
}

bool isLoadOrStore(const Instruction &instruction)
{
	return isa<LoadInst, StoreInst>(instruction);
}

bool mayOverlap(const Instruction &a, const Instruction &b, AAResults &aliases)
{
	const Value *left = getLoadStorePointerOperand(&a), *right = getLoadStorePointerOperand(&b);
	/* Two work-items: their accesses may be anywhere in their objects. */
	return !aliases.isNoAlias(MemoryLocation::getBeforeOrAfter(left),
				  MemoryLocation::getBeforeOrAfter(right));
}

} // namespace weft
