/* SPDX-License-Identifier: MIT
 *
 * Follows the uses of each alloca, and lays out those that are spilled or too large for the stack.
 */
#include "regions/private_variables.h"

#include "functions/internal_functions.h"
#include "ir/variables.h"
#include "kernel/cycle_counter.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr uint64_t cacheLine = 64;

/* Bytes from which on it matters where in the cache the arrays of neighbouring work-items lie. */
constexpr uint64_t longArray = 1024;

/* All uses of an alloca's address and of addresses derived from it. */
struct AddressUses {
	bool escapes = false;
	SmallVector<const Instruction *, 16> users;
};

bool staysInCall(const CallBase &call, const Use &use)
{
	return call.isDataOperand(&use) && call.doesNotCapture(call.getDataOperandNo(&use));
}

AddressUses followAddress(const AllocaInst &variable)
{
	AddressUses result;
	SmallPtrSet<const Value *, 16> seen;
	SmallVector<const Value *, 16> work = {&variable};
	while (!work.empty()) {
		for (const Use &use : work.pop_back_val()->uses()) {
			const auto *user = cast<Instruction>(use.getUser());
			result.users.push_back(user);
			if (isa<GetElementPtrInst, PHINode, SelectInst, AddrSpaceCastInst,
				FreezeInst>(user)) {
				if (seen.insert(user).second)
					work.push_back(user);
			} else if (const auto *store = dyn_cast<StoreInst>(user)) {
				result.escapes |= store->getValueOperand() == use;
			} else if (const auto *call = dyn_cast<CallBase>(user)) {
				result.escapes |=
					!call->isLifetimeStartOrEnd() && !staysInCall(*call, use);
			} else if (!isa<LoadInst, ICmpInst>(user)) {
				result.escapes = true;
			}
		}
	}
	return result;
}

/* Whether each execution of the region starts the variable's life anew. */
bool beginsInRegion(const AddressUses &uses, const DominatorTree &dominators)
{
	const Instruction *begin = nullptr;
	for (const Instruction *user : uses.users) {
		const auto *intrinsic = dyn_cast<IntrinsicInst>(user);
		if (intrinsic && intrinsic->getIntrinsicID() == Intrinsic::lifetime_start)
			begin = begin && dominators.dominates(begin, user) ? begin : user;
	}
	return begin && all_of(uses.users, [&](const Instruction *user) {
		       return user == begin || dominators.dominates(begin, user);
	       });
}

/* Whether all work-items of the group leave something in the variable for a call that reads it. */
bool isShared(const AllocaInst &variable)
{
	return any_of(variable.users(), [](const User *user) {
		return isOnceCall(*user) && cast<CallInst>(user)->arg_size() == 1;
	});
}

bool needsSpill(const AllocaInst &variable, const RegionList &regions,
		const DominatorTree &dominators)
{
	AddressUses uses = followAddress(variable);
	if (uses.escapes)
		return true;
	unsigned region = ~0u;
	for (const Instruction *user : uses.users) {
		if (cast<Instruction>(user)->isLifetimeStartOrEnd())
			continue;
		unsigned home = regions.regionOf(user->getParent());
		if (region != ~0u && home != region)
			return true;
		region = home;
	}
	return region != ~0u && regions.regions()[region].repeats &&
	       !beginsInRegion(uses, dominators);
}

/* Gives each an offset, the largest alignment first; returns the bytes of all. A sum that fits no address
 * space stays the largest number, which no launch has memory for. */
uint64_t layOut(MutableArrayRef<SpilledVariable> list)
{
	uint64_t total = 0;
	sort(list, [](const SpilledVariable &a, const SpilledVariable &b) {
		Align left = a.variable->getAlign(), right = b.variable->getAlign();
		return left != right ? left > right : a.variable->comesBefore(b.variable);
	});
	for (SpilledVariable &entry : list) {
		uint64_t slack = entry.variable->getAlign().value() - 1;
		entry.size = SaturatingAdd(entry.size, slack) & ~slack;
		entry.offset = total;
		total = SaturatingAdd(total, entry.size);
	}
	return total;
}

/* An array that is long and stays across barriers takes an odd number of cache lines for each work-item: in powers of two, the same
 * element of neighbouring work-items would lie in one set of the cache. */
void padArrays(MutableArrayRef<SpilledVariable> spilled)
{
	for (SpilledVariable &entry : spilled) {
		if (entry.size < longArray || entry.size > UINT64_MAX / 2)
			continue;
		uint64_t unit = spillUnit(*entry.variable);
		entry.size = alignTo(entry.size, unit) | unit;
	}
}

/* Bytes per work-item that lie between the variables, at most: behind the copies of each there are less than two units for the whole
 * group, and none where the copies are short. */
uint64_t bytesBetween(ArrayRef<SpilledVariable> spilled)
{
	uint64_t total = 0;
	for (const SpilledVariable &entry : spilled)
		total += std::min<uint64_t>(divideCeil(entry.size, shortSpillUnits / 2),
					    2 * spillUnit(*entry.variable));
	return total;
}

/* Takes the largest until the rest fits the stack. */
SmallVector<SpilledVariable, 2> takeLarge(SmallVectorImpl<SpilledVariable> &onStack)
{
	SmallVector<SpilledVariable, 2> large;
	uint64_t total = 0;
	for (const SpilledVariable &entry : onStack)
		total = SaturatingAdd(total, entry.size);
	if (total <= stackBudget)
		return large;
	sort(onStack, [](const SpilledVariable &a, const SpilledVariable &b) {
		return a.size != b.size ? a.size < b.size : a.variable->comesBefore(b.variable);
	});
	total = 0;
	for (const SpilledVariable &entry : onStack) {
		total = SaturatingAdd(total, entry.size);
		if (total > stackBudget)
			large.push_back(entry);
	}
	return large;
}

} // namespace

uint64_t spillUnit(const AllocaInst &variable)
{
	return std::max(variable.getAlign().value(), cacheLine);
}

BasicBlock *splitEntry(Function &kernel)
{
	BasicBlock &entry = kernel.getEntryBlock();
	for (Instruction &instruction : make_early_inc_range(entry)) {
		if (isa<AllocaInst>(instruction))
			instruction.moveBefore(entry, entry.begin());
	}
	auto first = entry.begin();
	while (isa<AllocaInst>(*first))
		++first;
	return entry.splitBasicBlock(first, "body");
}

PrivateVariables classifyVariables(Function &kernel, const RegionList &regions)
{
	PrivateVariables variables;
	std::unique_ptr<DominatorTree> dominators;
	SmallVector<SpilledVariable, 8> onStack;
	for (Instruction &instruction : kernel.getEntryBlock()) {
		auto *variable = dyn_cast<AllocaInst>(&instruction);
		if (!variable)
			continue;
		if (isShared(*variable))
			variable->setMetadata(uniformMetadata,
					      MDNode::get(kernel.getContext(), {}));
		if (variable->hasMetadata(uniformMetadata)) {
			variables.uniform.push_back(variable);
			continue;
		}
		uint64_t size = sizeOfVariable(*variable);
		if (countsCycles(*variable)) {
			variables.cycles = variable;
			continue;
		}
		variables.privateSize = SaturatingAdd(variables.privateSize, size);
		if (regions.size() > 1 && !dominators)
			dominators = std::make_unique<DominatorTree>(kernel);
		if (regions.size() > 1 && needsSpill(*variable, regions, *dominators))
			variables.spilled.push_back({variable, 0, size});
		else
			onStack.push_back({variable, 0, size});
	}
	variables.scratch = takeLarge(onStack);
	padArrays(variables.spilled);
	variables.spillPerItem = layOut(variables.spilled);
	variables.spillPerItem =
		SaturatingAdd(variables.spillPerItem, bytesBetween(variables.spilled));
	variables.scratchSize = layOut(variables.scratch);
	return variables;
}

} // namespace weft
