/* SPDX-License-Identifier: MIT
 *
 * A copy is an attribute of its parameter, its updates have metadata.
 */
#include "ir/atomic_updates.h"

#include "functions/internal_functions.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Metadata.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr char copyAttribute[] = "weft-updated-copy"; /* operation, bits, elements */
constexpr char ownUpdateMark[] = "weft.own.update";

} // namespace

bool isCommutative(const AtomicRMWInst &update)
{
	switch (update.getOperation()) {
	case AtomicRMWInst::Add:
	case AtomicRMWInst::Sub:
	case AtomicRMWInst::And:
	case AtomicRMWInst::Or:
	case AtomicRMWInst::Xor:
	case AtomicRMWInst::Max:
	case AtomicRMWInst::Min:
	case AtomicRMWInst::UMax:
	case AtomicRMWInst::UMin:
		return true;
	default:
		return false;
	}
}

Constant *identityOf(AtomicRMWInst::BinOp operation, Type &type)
{
	unsigned bits = type.getIntegerBitWidth();
	switch (operation) {
	case AtomicRMWInst::And:
	case AtomicRMWInst::UMin:
		return Constant::getAllOnesValue(&type);
	case AtomicRMWInst::Max:
		return ConstantInt::get(&type, APInt::getSignedMinValue(bits));
	case AtomicRMWInst::Min:
		return ConstantInt::get(&type, APInt::getSignedMaxValue(bits));
	default:
		return Constant::getNullValue(&type);
	}
}

void setUpdatedCopy(Argument &argument, UpdatedCopy copy)
{
	std::string text = std::to_string(copy.operation) + " " + std::to_string(copy.bits) + " " +
			   std::to_string(copy.elements);
	argument.addAttr(Attribute::get(argument.getContext(), copyAttribute, text));
}

std::optional<UpdatedCopy> updatedCopyOf(const Argument &argument)
{
	const Function &kernel = *argument.getParent();
	Attribute attribute =
		kernel.getAttributes().getParamAttr(argument.getArgNo(), copyAttribute);
	if (!attribute.isValid())
		return std::nullopt;
	StringRef text = attribute.getValueAsString();
	unsigned operation = 0, bits = 0, elements = 0;
	bool isBroken = text.consumeInteger(10, operation) || !text.consume_front(" ") ||
			text.consumeInteger(10, bits) || !text.consume_front(" ") ||
			text.consumeInteger(10, elements);
	if (isBroken)
		return std::nullopt;
	return UpdatedCopy{AtomicRMWInst::BinOp(operation), bits, elements};
}

void markOwnUpdate(AtomicRMWInst &update)
{
	update.setMetadata(ownUpdateMark, MDNode::get(update.getContext(), {}));
}

bool isOwnUpdate(const AtomicRMWInst &update)
{
	return update.getPointerAddressSpace() == LocalSpace || update.hasMetadata(ownUpdateMark);
}

} // namespace weft
