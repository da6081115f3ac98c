/* SPDX-License-Identifier: MIT
 *
 * The address spaces of the pointers' types are all that is asked.
 */
#include "ir/address_space_alias.h"

#include "functions/internal_functions.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Named metadata of a module. */
constexpr char conversionsMark[] = "weft.pointer.conversions";

bool spacesMayMeet(unsigned a, unsigned b)
{
	if (a >= GenericSpace || b >= GenericSpace)
		return true;
	const auto memory = [](unsigned space) {
		return space == ConstantSpace ? unsigned(GlobalSpace) : space;
	};
	return memory(a) == memory(b);
}

unsigned spaceOf(const Value &pointer)
{
	return pointer.getType()->getScalarType()->getPointerAddressSpace();
}

/* NULL, if it is neither a gather nor a scatter. */
const Value *scatteredPointers(const CallBase &call)
{
	switch (call.getIntrinsicID()) {
	case Intrinsic::masked_gather:
		return call.getArgOperand(0);
	case Intrinsic::masked_scatter:
		return call.getArgOperand(1);
	default:
		return nullptr;
	}
}

} // namespace

AnalysisKey AddressSpaceAliasAnalysis::Key;

AliasResult AddressSpaceAliasResult::alias(const MemoryLocation &a, const MemoryLocation &b,
					   AAQueryInfo &, const Instruction *) const
{
	return hold && !spacesMayMeet(spaceOf(*a.Ptr), spaceOf(*b.Ptr)) ? AliasResult::NoAlias
									: AliasResult::MayAlias;
}

ModRefInfo AddressSpaceAliasResult::getModRefInfo(const CallBase *call, const MemoryLocation &place,
						  AAQueryInfo &) const
{
	const Value *pointers = scatteredPointers(*call);
	return hold && pointers && !spacesMayMeet(spaceOf(*pointers), spaceOf(*place.Ptr))
		       ? ModRefInfo::NoModRef
		       : ModRefInfo::ModRef;
}

ModRefInfo AddressSpaceAliasResult::getModRefInfo(const CallBase *call, const CallBase *other,
						  AAQueryInfo &) const
{
	const Value *a = scatteredPointers(*call), *b = scatteredPointers(*other);
	return hold && a && b && !spacesMayMeet(spaceOf(*a), spaceOf(*b)) ? ModRefInfo::NoModRef
									  : ModRefInfo::ModRef;
}

AddressSpaceAliasResult AddressSpaceAliasAnalysis::run(Function &function,
						       FunctionAnalysisManager &) const
{
	return AddressSpaceAliasResult(!function.getParent()->getNamedMetadata(conversionsMark));
}

void markPointerConversions(Module &module)
{
	for (StringRef name : {"__to_global", "__to_local", "__to_private"}) {
		if (module.getFunction(name))
			module.getOrInsertNamedMetadata(conversionsMark);
	}
}

} // namespace weft
