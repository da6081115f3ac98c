/* SPDX-License-Identifier: MIT
 *
 * lower-printf: packs arguments and calls back into the runtime.
 */
#include "prepare/lower_printf.h"

#include "functions/internal_functions.h"
#include "kernel_abi.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace weft
{

namespace
{

uint32_t printfType(Type *type)
{
	if (type->isPointerTy())
		return WEFT_PRINTF_POINTER;
	if (type->isHalfTy())
		return WEFT_PRINTF_HALF;
	if (type->isFloatTy())
		return WEFT_PRINTF_FLOAT;
	if (type->isDoubleTy())
		return WEFT_PRINTF_DOUBLE;
	switch (type->getIntegerBitWidth()) {
	case 8:
		return WEFT_PRINTF_INT8;
	case 16:
		return WEFT_PRINTF_INT16;
	case 32:
		return WEFT_PRINTF_INT32;
	default:
		return WEFT_PRINTF_INT64;
	}
}

bool isPrintableType(const Type *type)
{
	const Type *scalar = type->getScalarType();
	return scalar->isPointerTy() || scalar->isHalfTy() || scalar->isFloatTy() ||
	       scalar->isDoubleTy() || scalar->isIntegerTy(8) || scalar->isIntegerTy(16) ||
	       scalar->isIntegerTy(32) || scalar->isIntegerTy(64);
}

/* The packed block of one call: elements at their natural alignment, vectors without padding. */
std::vector<weft_printf_arg> layOut(const CallInst &call, uint32_t &size)
{
	std::vector<weft_printf_arg> args;
	const DataLayout &layout = call.getModule()->getDataLayout();
	size = 0;
	for (const Use &use : drop_begin(call.args())) {
		Type *type = use->getType();
		Type *scalar = type->getScalarType();
		auto element = uint32_t(layout.getTypeStoreSize(scalar).getFixedValue());
		uint32_t lanes = 1;
		if (auto *vector = dyn_cast<FixedVectorType>(type))
			lanes = vector->getNumElements();
		size = uint32_t(alignTo(size, element));
		args.push_back({printfType(scalar), lanes, size, element * lanes});
		size += element * lanes;
	}
	return args;
}

/* struct weft_printf_site and what it points to. */
GlobalVariable *createSite(Module &module, Constant *format, ArrayRef<weft_printf_arg> args,
			   uint32_t size)
{
	LLVMContext &context = module.getContext();
	Type *i32 = Type::getInt32Ty(context);
	auto *argType = StructType::get(i32, i32, i32, i32);
	std::vector<Constant *> rows;
	for (const weft_printf_arg &arg : args)
		rows.push_back(ConstantStruct::get(
			argType, ConstantInt::get(i32, arg.type), ConstantInt::get(i32, arg.lanes),
			ConstantInt::get(i32, arg.offset), ConstantInt::get(i32, arg.size)));
	auto *arrayType = ArrayType::get(argType, rows.size());
	auto *array = new GlobalVariable(module, arrayType, true, GlobalValue::PrivateLinkage,
					 ConstantArray::get(arrayType, rows), "weft.printf.args");
	auto *pointer = PointerType::get(context, 0);
	auto *siteType = StructType::get(pointer, pointer, i32, i32);
	Constant *site = ConstantStruct::get(
		siteType, ConstantExpr::getPointerBitCastOrAddrSpaceCast(format, pointer), array,
		ConstantInt::get(i32, args.size()), ConstantInt::get(i32, size));
	return new GlobalVariable(module, siteType, true, GlobalValue::PrivateLinkage, site,
				  "weft.printf.site");
}

Value *packArguments(CallInst &call, ArrayRef<weft_printf_arg> args, uint32_t size,
		     IRBuilder<> &builder)
{
	BasicBlock &entry = call.getFunction()->front();
	IRBuilder<> atEntry(&entry, entry.begin());
	AllocaInst *block = atEntry.CreateAlloca(
		ArrayType::get(atEntry.getInt8Ty(), std::max(size, 1u)), nullptr, "printf.block");
	block->setAlignment(Align(16));
	builder.CreateLifetimeStart(block);
	for (auto [index, arg] : enumerate(args)) {
		Value *address =
			builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), block, arg.offset);
		builder.CreateAlignedStore(call.getArgOperand(unsigned(index) + 1), address,
					   Align(arg.size / arg.lanes));
	}
	return block;
}

void lowerCall(CallInst &call)
{
	Module &module = *call.getModule();
	auto *format = dyn_cast<Constant>(call.getArgOperand(0)->stripPointerCasts());
	if (!format) {
		reportError(*call.getFunction(), "error: the format of printf is not a constant");
		return;
	}
	if (!isPrintable(call)) {
		reportError(*call.getFunction(),
			    "error: printf cannot print an argument of this type");
		return;
	}
	uint32_t size = 0;
	std::vector<weft_printf_arg> args = layOut(call, size);
	GlobalVariable *site = createSite(module, format, args, size);
	IRBuilder<> builder(&call);
	Value *block = packArguments(call, args, size, builder);
	Value *result = callHost(builder, offsetof(weft_work_context, print), builder.getInt32Ty(),
				 {site, block});
	builder.CreateLifetimeEnd(cast<AllocaInst>(block));
	call.replaceAllUsesWith(result);
	call.eraseFromParent();
}

} // namespace

bool isPrintable(const CallBase &call)
{
	return isa<Constant>(call.getArgOperand(0)->stripPointerCasts()) &&
	       all_of(drop_begin(call.args()),
		      [](const Use &use) { return isPrintableType(use->getType()); });
}

PreservedAnalyses LowerPrintfPass::run(Module &module, ModuleAnalysisManager &)
{
	Function *function = module.getFunction("printf");
	if (!function)
		return PreservedAnalyses::all();
	SmallVector<Function *, 8> printing;
	for (User *user : make_early_inc_range(function->users())) {
		auto *call = dyn_cast<CallInst>(user);
		if (!call || call->getCalledFunction() != function)
			continue;
		printing.push_back(call->getFunction());
		lowerCall(*call);
	}
	flagCallers(printing, WEFT_KERNEL_PRINTS);
	return PreservedAnalyses::none();
}

} // namespace weft
