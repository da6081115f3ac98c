/* SPDX-License-Identifier: MIT
 *
 * report-accesses: finds the accesses, and calls the host before each.
 */
#include "simulate/report_accesses.h"

#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "kernel/cycle_counter.h"
#include "kernel_abi.h"
#include "simulate/texel_address.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace weft
{

namespace
{

struct ReportedAccess {
	Value *address; /* nullptr: a fence, which has none */
	Value *size;    /* bytes, an i64 */
	uint32_t kind;  /* enum weft_global_access */
};

uint32_t orderOf(AtomicOrdering ordering)
{
	return isStrongerThanMonotonic(ordering) ? WEFT_GLOBAL_ORDERED : 0;
}

class AccessReporter
{
      public:
	AccessReporter(Function &theFunction, Value &theCounter)
	    : function(theFunction), counter(theCounter), layout(theFunction.getDataLayout()),
	      number(Type::getInt64Ty(theFunction.getContext()))
	{
	}

	void run()
	{
		SmallVector<std::pair<Instruction *, ReportedAccess>, 16> found;
		for (Instruction &instruction : make_early_inc_range(instructions(function))) {
			SmallVector<ReportedAccess, 2> list;
			find(instruction, list);
			for (const ReportedAccess &access : list)
				found.push_back({&instruction, access});
		}
		for (auto &[instruction, access] : found)
			report(*instruction, access);
	}

      private:
	Value *bytes(Type *type) const
	{
		return ConstantInt::get(number, layout.getTypeStoreSize(type).getFixedValue());
	}

	void findBlock(MemIntrinsic &block, SmallVectorImpl<ReportedAccess> &list) const
	{
		if (auto *transfer = dyn_cast<MemTransferInst>(&block))
			addFar({transfer->getRawSource(), block.getLength(), WEFT_GLOBAL_LOADS},
			       list);
		addFar({block.getRawDest(), block.getLength(), WEFT_GLOBAL_STORES}, list);
	}

	void findImage(CallInst &call, ImageAccess access,
		       SmallVectorImpl<ReportedAccess> &list) const
	{
		IRBuilder<> builder(&call);
		TexelPlace texel = placeOfTexel(builder, call);
		uint32_t kind =
			access == ImageAccess::Write ? WEFT_GLOBAL_STORES : WEFT_GLOBAL_LOADS;
		list.push_back({texel.address, texel.size, kind});
	}

	/* The accesses that element_cost.h counts. */
	void find(Instruction &instruction, SmallVectorImpl<ReportedAccess> &list) const
	{
		if (auto *block = dyn_cast<MemIntrinsic>(&instruction))
			return findBlock(*block, list);
		if (std::optional<ImageAccess> access = imageCallOf(instruction))
			return findImage(cast<CallInst>(instruction), *access, list);
		if (auto *fence = dyn_cast<FenceInst>(&instruction)) {
			Value *none = ConstantInt::get(number, 0);
			list.push_back({nullptr, none, orderOf(fence->getOrdering())});
			return;
		}
		if (auto *load = dyn_cast<LoadInst>(&instruction))
			addFar({load->getPointerOperand(), bytes(load->getType()),
				ofPlain(WEFT_GLOBAL_LOADS, load->getOrdering())},
			       list);
		if (auto *store = dyn_cast<StoreInst>(&instruction))
			addFar({store->getPointerOperand(),
				bytes(store->getValueOperand()->getType()),
				ofPlain(WEFT_GLOBAL_STORES, store->getOrdering())},
			       list);
		if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
			addFar({update->getPointerOperand(), bytes(update->getType()),
				WEFT_GLOBAL_ATOMIC | orderOf(update->getOrdering())},
			       list);
		if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
			addFar({exchange->getPointerOperand(),
				bytes(exchange->getNewValOperand()->getType()),
				WEFT_GLOBAL_ATOMIC | orderOf(exchange->getMergedOrdering())},
			       list);
	}

	static void addFar(const ReportedAccess &access, SmallVectorImpl<ReportedAccess> &list)
	{
		if (!isPrivateOrLocal(access.address->getType()->getPointerAddressSpace()) &&
		    !isImageField(*access.address))
			list.push_back(access);
	}

	static uint32_t ofPlain(uint32_t kind, AtomicOrdering ordering)
	{
		return ordering == AtomicOrdering::NotAtomic
			       ? kind
			       : uint32_t(WEFT_GLOBAL_ATOMIC) | orderOf(ordering);
	}

	/* The linear id of the group; x varies fastest. */
	Value *groupOf(IRBuilder<> &builder)
	{
		Value *group = createQuery(builder, Query::GroupId, 2);
		for (unsigned dimension : {1u, 0u}) {
			Value *row = createQuery(builder, Query::NumGroups, dimension);
			Value *place = createQuery(builder, Query::GroupId, dimension);
			group = builder.CreateAdd(builder.CreateMul(group, row), place);
		}
		return group;
	}

	void report(Instruction &instruction, const ReportedAccess &access)
	{
		IRBuilder<> builder(&instruction);
		Value *address = access.address ? builder.CreateAddrSpaceCast(access.address,
									      builder.getPtrTy())
						: ConstantPointerNull::get(builder.getPtrTy());
		Value *size = builder.CreateZExtOrTrunc(access.size, number);
		Value *cycles =
			callHost(builder, offsetof(weft_work_context, access), number,
				 {groupOf(builder), address, size, builder.getInt32(access.kind)});
		Value *before = builder.CreateLoad(number, &counter);
		builder.CreateStore(builder.CreateAdd(before, cycles), &counter);
	}

	Function &function;
	Value &counter;
	const DataLayout &layout;
	Type *number;
};

/* They call the host now, or functions that they call do. */
void forgetEffects(Module &module)
{
	for (Function &function : module) {
		if (function.isDeclaration())
			continue;
		for (Attribute::AttrKind kind : {Attribute::Memory, Attribute::NoSync,
						 Attribute::NoCallback, Attribute::Speculatable})
			function.removeFnAttr(kind);
		for (User *user : function.users()) {
			if (auto *call = dyn_cast<CallInst>(user))
				call->removeFnAttr(Attribute::Memory);
		}
	}
}

} // namespace

PreservedAnalyses ReportAccessesPass::run(Module &module, ModuleAnalysisManager &)
{
	for (Function &function : module) {
		if (Value *counter = cycleCounter(function))
			AccessReporter(function, *counter).run();
		if (isKernel(function))
			setKernelNumber(function, coalescedGroupsAttribute, CoalescesNone);
	}
	forgetEffects(module);
	return PreservedAnalyses::none();
}

} // namespace weft
