/* SPDX-License-Identifier: MIT
 *
 * single-items: what groups share is private where a group is one work-item.
 */
#include "prepare/single_items.h"

#include "functions/internal_functions.h"
#include "functions/subgroup_functions.h"
#include "kernel/argument_layout.h"
#include "kernel_abi.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

bool isSingle(const Function &kernel)
{
	uint32_t size[3];
	readSizes(kernel, "reqd_work_group_size", size);
	return size[0] == 1 && size[1] == 1 && size[2] == 1;
}

SmallVector<Instruction *, 8> callsOf(Function &kernel, bool (*isMeant)(const Instruction &))
{
	SmallVector<Instruction *, 8> calls;
	for (Instruction &instruction : instructions(kernel)) {
		if (isMeant(instruction))
			calls.push_back(&instruction);
	}
	return calls;
}

/* Replaces queries whose results are known for a group of a single work-item. */
bool answerQueries(Function &kernel)
{
	auto isKnown = [](const Instruction &instruction) {
		std::optional<Query> query = queryOf(instruction);
		return query == Query::LocalId || query == Query::LocalSize ||
		       query == Query::EnqueuedLocalSize;
	};
	SmallVector<Instruction *, 8> calls = callsOf(kernel, isKnown);
	for (Instruction *call : calls) {
		const uint64_t answer = queryOf(*call) == Query::LocalId ? 0 : 1;
		call->replaceAllUsesWith(ConstantInt::get(call->getType(), answer));
		call->eraseFromParent();
	}
	return !calls.empty();
}

bool dropBarriers(Function &kernel)
{
	auto isMeant = [](const Instruction &instruction) { return isBarrier(instruction); };
	SmallVector<Instruction *, 8> calls = callsOf(kernel, isMeant);
	for (Instruction *call : calls)
		call->eraseFromParent();
	return !calls.empty();
}

/* Local memory, and all addresses that are computed from where it begins. */
class LocalAddresses
{
      public:
	explicit LocalAddresses(Function &kernel)
	{
		auto isMeant = [](const Instruction &instruction) {
			return queryOf(instruction) == Query::LocalMemory;
		};
		for (Instruction *call : callsOf(kernel, isMeant)) {
			starts.push_back(call);
			addresses.insert(call);
		}
		for (size_t i = 0; i < addresses.size(); i++) {
			for (Use &use : addresses[i]->uses())
				follow(use);
		}
		isClosed &= all_of(addresses, [&](const Instruction *address) {
			return !isa<PHINode, SelectInst>(address) || choosesAmongThese(*address);
		});
	}

	bool canBePrivate() const
	{
		return isClosed && !starts.empty();
	}

	/* Expects that they can be. */
	void makePrivate(Function &kernel, uint64_t bytes)
	{
		IRBuilder<> builder(&kernel.getEntryBlock(), kernel.getEntryBlock().begin());
		AllocaInst *memory = builder.CreateAlloca(
			ArrayType::get(builder.getInt8Ty(), bytes), nullptr, "group");
		memory->setAlignment(Align(WEFT_KERNEL_ALIGNMENT));
		for (Instruction *address : addresses)
			address->mutateType(memory->getType());
		for (IntrinsicInst *copy : copies)
			readdress(*copy);
		for (Instruction *start : starts) {
			start->replaceAllUsesWith(memory);
			start->eraseFromParent();
		}
	}

      private:
	void follow(Use &use)
	{
		auto *user = cast<Instruction>(use.getUser());
		if (isa<GetElementPtrInst, PHINode, SelectInst>(user))
			addresses.insert(user);
		else if (isa<MemIntrinsic>(user))
			copies.insert(cast<IntrinsicInst>(user));
		else
			isClosed &= accesses(*user, use);
	}

	static bool accesses(const Instruction &user, const Use &use)
	{
		if (isa<LoadInst>(user))
			return true;
		if (isa<StoreInst>(user))
			return use.getOperandNo() == StoreInst::getPointerOperandIndex();
		if (isa<AtomicRMWInst>(user))
			return use.getOperandNo() == AtomicRMWInst::getPointerOperandIndex();
		return isa<AtomicCmpXchgInst>(user) &&
		       use.getOperandNo() == AtomicCmpXchgInst::getPointerOperandIndex();
	}

	bool choosesAmongThese(const Instruction &choice) const
	{
		return all_of(choice.operand_values(), [&](const Value *value) {
			const auto *address = dyn_cast<Instruction>(value);
			return !value->getType()->isPointerTy() ||
			       (address && addresses.contains(const_cast<Instruction *>(address)));
		});
	}

	/* Copies and fills are named by the kinds of their pointers. */
	static void readdress(IntrinsicInst &copy)
	{
		SmallVector<Type *, 3> types;
		for (unsigned i = 0; i < (isa<MemTransferInst>(copy) ? 3u : 1u); i++)
			types.push_back(copy.getArgOperand(i)->getType());
		if (isa<MemSetInst>(copy))
			types.push_back(copy.getArgOperand(2)->getType());
		copy.setCalledFunction(Intrinsic::getOrInsertDeclaration(
			copy.getModule(), copy.getIntrinsicID(), types));
	}

	SmallVector<Instruction *, 4> starts;
	SmallSetVector<Instruction *, 16> addresses;
	SmallSetVector<IntrinsicInst *, 4> copies;
	bool isClosed = true;
};

} // namespace

PreservedAnalyses SingleItemsPass::run(Function &function, FunctionAnalysisManager &)
{
	if (!isKernel(function) || !isSingle(function) || usesSubgroups(function))
		return PreservedAnalyses::all();
	bool isChanged = answerQueries(function);
	auto runsOnceHere = [](const Instruction &instruction) { return isOnceCall(instruction); };
	if (none_of(instructions(function), runsOnceHere)) {
		isChanged |= dropBarriers(function);
		LocalAddresses addresses(function);
		if (addresses.canBePrivate()) {
			addresses.makePrivate(function,
					      getKernelNumber(function, localSizeAttribute));
			setKernelNumber(function, localSizeAttribute, 0);
			isChanged = true;
		}
	}
	if (!isChanged)
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
