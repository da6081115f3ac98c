/* SPDX-License-Identifier: MIT
 *
 * lower-virtual-calls: numbers in the place of tables' addresses, and what is chosen by them.
 */
#include "calls/lower_virtual_calls.h"

#include "calls/numbered_calls.h"
#include "functions/class_tables.h"
#include "functions/internal_functions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <optional>
#include <tuple>

using namespace llvm;

namespace weft
{

namespace
{

class VirtualCalls
{
      public:
	VirtualCalls(Module &theModule, ArrayRef<ClassPlace> thePlaces)
	    : module(theModule), layout(theModule.getDataLayout()), places(thePlaces)
	{
	}

	void lower(LoadInst &load);

      private:
	std::optional<int64_t> offsetOf(const User &address) const;
	bool lowerEntry(LoadInst &entry, LoadInst &object, int64_t offset);
	void lowerEntries(Instruction &address, LoadInst &object, int64_t offset);
	Function *callFor(CallInst &call, Type *numberType, int64_t offset);
	Function *numberFor(Type *type, Type *numberType, int64_t offset);
	Function *tableFor(Type *numberType);
	bool lowerPlace(Instruction &address, LoadInst &object);
	Function *placeFor(Type *numberType);
	Constant *noTable();

	Module &module;
	const DataLayout &layout;
	ArrayRef<ClassPlace> places;
	std::map<std::tuple<const FunctionType *, const Type *, int64_t, void *>, Function *> calls;
	std::map<std::tuple<const Type *, const Type *, int64_t>, Function *> values;
	std::map<const Type *, Function *> tables, entries;
	Constant *zeros = nullptr; /* of noTable */
};

/* From the place to which the object points. */
std::optional<int64_t> VirtualCalls::offsetOf(const User &address) const
{
	const auto *element = dyn_cast<GetElementPtrInst>(&address);
	APInt offset(64, 0);
	if (!element || !element->accumulateConstantOffset(layout, offset))
		return std::nullopt;
	return offset.getSExtValue();
}

Function *VirtualCalls::callFor(CallInst &call, Type *numberType, int64_t offset)
{
	Function *&function = calls[{call.getFunctionType(), numberType, offset,
				     passingOf(call).getRawPointer()}];
	if (function)
		return function;
	SmallVector<NumberedFunction, 8> targets;
	for (const ClassPlace &place : places) {
		Constant *entry = entryOf(place, offset, call.getCalledOperand()->getType());
		auto *target = entry ? dyn_cast<Function>(entry->stripPointerCasts()) : nullptr;
		if (target && !target->isDeclaration() && mayLeadTo(call, *target))
			targets.push_back({place.number, target});
	}
	function = createNumberedCall(call, numberType, targets);
	return function;
}

/* An offset in an object, from what is before the place. */
Function *VirtualCalls::numberFor(Type *type, Type *numberType, int64_t offset)
{
	Function *&function = values[{type, numberType, offset}];
	if (function)
		return function;
	IRBuilder<> builder(module.getContext());
	SwitchInst *choice = createNumberSwitch(
		builder, module, FunctionType::get(type, {numberType}, false), "weft.class_offset");
	function = choice->getFunction();
	builder.CreateRet(Constant::getNullValue(type));
	for (const ClassPlace &place : places) {
		Constant *entry = entryOf(place, offset, type);
		if (!entry || !isa<ConstantInt>(entry))
			continue;
		builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", function));
		builder.CreateRet(entry);
		choice->addCase(builder.getInt64(place.number), builder.GetInsertBlock());
	}
	return function;
}

/* The middle of zeros, with as many before it and behind it as any table has bytes. */
Constant *VirtualCalls::noTable()
{
	if (zeros)
		return zeros;
	uint64_t most = 0;
	for (const ClassPlace &place : places)
		most = std::max<uint64_t>(most,
					  layout.getTypeAllocSize(place.table->getValueType()));
	auto *type = ArrayType::get(Type::getInt8Ty(module.getContext()), 2 * most);
	auto *variable = new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage,
					    Constant::getNullValue(type), "weft.no_class", nullptr,
					    GlobalValue::NotThreadLocal, GlobalSpace);
	variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
	variable->setAlignment(Align(8));
	zeros = ConstantExpr::getGetElementPtr(
		Type::getInt8Ty(module.getContext()), variable,
		ConstantInt::get(Type::getInt64Ty(module.getContext()), most));
	return zeros;
}

/* The place in the program's own table. */
Function *VirtualCalls::tableFor(Type *numberType)
{
	Function *&function = tables[numberType];
	if (function)
		return function;
	IRBuilder<> builder(module.getContext());
	SwitchInst *choice = createNumberSwitch(builder, module,
						FunctionType::get(numberType, {numberType}, false),
						"weft.class_table");
	function = choice->getFunction();
	builder.CreateRet(ConstantExpr::getPointerBitCastOrAddrSpaceCast(noTable(), numberType));
	for (const ClassPlace &place : places) {
		if (!isDefinedTable(*place.table))
			continue;
		builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", function));
		Constant *address = ConstantExpr::getGetElementPtr(builder.getInt8Ty(), place.table,
								   builder.getInt64(place.offset));
		builder.CreateRet(
			ConstantExpr::getPointerBitCastOrAddrSpaceCast(address, numberType));
		choice->addCase(builder.getInt64(place.number), builder.GetInsertBlock());
	}
	return function;
}

/* A place in the program's own table, some bytes from there; outside of the table, zeros. */
Function *VirtualCalls::placeFor(Type *numberType)
{
	Function *&function = entries[numberType];
	if (function)
		return function;
	IRBuilder<> builder(module.getContext());
	Type *offsetType = builder.getInt64Ty();
	SwitchInst *choice = createNumberSwitch(
		builder, module, FunctionType::get(numberType, {numberType, offsetType}, false),
		"weft.class_place");
	function = choice->getFunction();
	Constant *none = ConstantExpr::getPointerBitCastOrAddrSpaceCast(noTable(), numberType);
	builder.CreateRet(none);
	for (const ClassPlace &place : places) {
		const uint64_t size = layout.getTypeAllocSize(place.table->getValueType());
		const uint64_t entry = layout.getPointerSize();
		if (!isDefinedTable(*place.table) || size < entry)
			continue;
		builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", function));
		Value *offset =
			builder.CreateAdd(function->getArg(1), builder.getInt64(place.offset));
		Value *address = builder.CreatePointerBitCastOrAddrSpaceCast(
			builder.CreateGEP(builder.getInt8Ty(), place.table, offset), numberType);
		Value *isInside = builder.CreateICmpULE(offset, builder.getInt64(size - entry));
		builder.CreateRet(builder.CreateSelect(isInside, address, none));
		choice->addCase(builder.getInt64(place.number), builder.GetInsertBlock());
	}
	return function;
}

/* What a pointer to a member function says where to read may be any number. */
bool VirtualCalls::lowerPlace(Instruction &address, LoadInst &object)
{
	auto *element = dyn_cast<GetElementPtrInst>(&address);
	if (!element || element->getPointerOperand() != &object || element->getNumIndices() != 1 ||
	    !element->getSourceElementType()->isIntegerTy(8) ||
	    !element->getOperand(1)->getType()->isIntegerTy(64))
		return false;
	Function *function = placeFor(object.getType());
	CallInst *call =
		IRBuilder<>(element).CreateCall(function, {&object, element->getOperand(1)});
	call->setCallingConv(function->getCallingConv());
	element->replaceAllUsesWith(call);
	element->eraseFromParent();
	return true;
}

/* Whether nothing else is done with what the table has there than what was put in its place. */
bool VirtualCalls::lowerEntry(LoadInst &entry, LoadInst &object, int64_t offset)
{
	if (entry.getType()->isIntegerTy()) {
		Function *function = numberFor(entry.getType(), object.getType(), offset);
		IRBuilder<> builder(&entry);
		CallInst *call = builder.CreateCall(function, {&object});
		call->setCallingConv(function->getCallingConv());
		entry.replaceAllUsesWith(call);
		return true;
	}
	const bool isCalled = all_of(entry.uses(), [](const Use &use) {
		const auto *call = dyn_cast<CallInst>(use.getUser());
		return call && call->isCallee(&use);
	});
	if (!entry.getType()->isPointerTy() || !isCalled)
		return false;
	for (User *user : make_early_inc_range(entry.users())) {
		auto *call = cast<CallInst>(user);
		replaceByNumbered(*call, *callFor(*call, object.getType(), offset), &object);
	}
	return true;
}

/* Of the loads from there. */
void VirtualCalls::lowerEntries(Instruction &address, LoadInst &object, int64_t offset)
{
	for (User *user : make_early_inc_range(address.users())) {
		auto *entry = dyn_cast<LoadInst>(user);
		if (entry && lowerEntry(*entry, object, offset))
			entry->eraseFromParent();
	}
}

void VirtualCalls::lower(LoadInst &object)
{
	SmallVector<Use *, 4> others;
	for (Use &use : make_early_inc_range(object.uses())) {
		auto *address = cast<Instruction>(use.getUser());
		const std::optional<int64_t> offset = offsetOf(*address);
		if (offset)
			lowerEntries(*address, object, *offset);
		if (offset && address->use_empty())
			address->eraseFromParent();
		else if (!offset && lowerPlace(*address, object))
			continue;
		else if (isa<GetElementPtrInst, LoadInst>(address))
			others.push_back(&use); /* what is stored stays the number */
	}
	if (others.empty())
		return;
	Function *function = tableFor(object.getType());
	IRBuilder<> builder(object.getNextNode());
	CallInst *table = builder.CreateCall(function, {&object});
	table->setCallingConv(function->getCallingConv());
	for (Use *use : others)
		use->set(table);
}

/* Addresses of the place become its number. */
void replaceByNumber(const ClassPlace &place)
{
	const DataLayout &layout = place.table->getDataLayout();
	for (User *user : make_early_inc_range(place.table->users())) {
		APInt offset(64, 0);
		auto *address = dyn_cast<GEPOperator>(user);
		if (!address || !address->accumulateConstantOffset(layout, offset) ||
		    offset != place.offset)
			continue;
		Constant *number =
			ConstantInt::get(Type::getInt64Ty(user->getContext()), place.number);
		address->replaceAllUsesWith(ConstantExpr::getIntToPtr(number, address->getType()));
	}
	place.table->removeDeadConstantUsers();
}

} // namespace

PreservedAnalyses LowerVirtualCallsPass::run(Module &module, ModuleAnalysisManager &)
{
	SmallVector<LoadInst *, 8> loads;
	for (Function &function : module) {
		for (Instruction &instruction : instructions(function)) {
			if (loadsClass(instruction))
				loads.push_back(cast<LoadInst>(&instruction));
		}
	}
	const SmallVector<ClassPlace, 8> places = findClassPlaces(module);
	for (const ClassPlace &place : places)
		replaceByNumber(place);
	VirtualCalls calls(module, places);
	for (LoadInst *load : loads)
		calls.lower(*load);
	for (GlobalVariable &table : make_early_inc_range(module.globals())) {
		if (isClassTable(table) && table.use_empty())
			table.eraseFromParent();
	}
	return loads.empty() && places.empty() ? PreservedAnalyses::all()
					       : PreservedAnalyses::none();
}

} // namespace weft
