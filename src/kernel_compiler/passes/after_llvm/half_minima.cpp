/* SPDX-License-Identifier: MIT
 *
 * A comparison of halves is one of floats, to which instruction selection converts both operands each time: between two minima, of
 * which one takes the other's result, there are a comparison, a choice and a conversion. A minimum of floats is one instruction.
 */
#include "after_llvm/half_minima.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

bool isOfHalves(const Value &value)
{
	return value.getType()->getScalarType()->isHalfTy();
}

bool isMinimumIntrinsic(const Instruction &instruction)
{
	const auto *call = dyn_cast<IntrinsicInst>(&instruction);
	return call && is_contained({Intrinsic::minnum, Intrinsic::maxnum, Intrinsic::minimumnum,
				     Intrinsic::maximumnum, Intrinsic::minimum, Intrinsic::maximum},
				    call->getIntrinsicID());
}

/* A select by a comparison of the two values that it chooses from, or LLVM's own. */
bool isHalfMinimum(const Instruction &instruction)
{
	if (!isOfHalves(instruction))
		return false;
	const auto *select = dyn_cast<SelectInst>(&instruction);
	const auto *compare = select ? dyn_cast<FCmpInst>(select->getCondition()) : nullptr;
	if (!compare)
		return isMinimumIntrinsic(instruction);
	const Value *left = compare->getOperand(0), *right = compare->getOperand(1);
	return (select->getTrueValue() == left && select->getFalseValue() == right) ||
	       (select->getTrueValue() == right && select->getFalseValue() == left);
}

/* What takes one of several values over as it is. */
bool isJoin(const Instruction &instruction)
{
	return isOfHalves(instruction) && isa<PHINode, SelectInst>(instruction) &&
	       !isHalfMinimum(instruction);
}

/* The values that an instruction takes over or compares: not a select's condition. */
SmallVector<Use *, 4> valuesOf(Instruction &instruction)
{
	SmallVector<Use *, 4> values;
	for (Use &use : instruction.operands()) {
		if (isOfHalves(*use))
			values.push_back(&use);
	}
	return values;
}

class HalfMinima
{
      public:
	HalfMinima(Function &function, const LoopInfo &theLoops) : loops(theLoops)
	{
		for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function)) {
			for (Instruction &instruction : *block) {
				if (isHalfMinimum(instruction))
					members.insert(&instruction);
			}
			order.push_back(block);
		}
	}

	bool run();

      private:
	using Joins = SmallSetVector<Instruction *, 16>;

	Joins joinsBeside(bool areUsers) const;
	void findJoins();
	int64_t gainOf(Instruction &member) const;
	void keepGaining();
	Value *floatOf(Value &value);
	void makePhi(PHINode &phi);
	void make(Instruction &member);
	void makeCompare(FCmpInst &compare);
	void replaceOtherUses(Instruction &member);
	void erase();

	bool isMember(const Value *value) const
	{
		const auto *instruction = dyn_cast<Instruction>(value);
		return instruction && members.contains(const_cast<Instruction *>(instruction));
	}

	/* How often a block runs: a loop counts for eight iterations. */
	int64_t runsOf(const BasicBlock *block) const
	{
		constexpr unsigned deepest = 6, bits = 3;
		return int64_t(1) << bits * std::min(loops.getLoopDepth(block), deepest);
	}

	const LoopInfo &loops;
	SmallVector<BasicBlock *, 16> order; /* reverse post-order */
	SetVector<Instruction *> members;    /* become floats */
	DenseMap<Value *, Value *> floats;
	SmallSetVector<Instruction *, 16> dead;
};

BasicBlock *placeOf(const Use &use)
{
	auto *user = cast<Instruction>(use.getUser());
	const auto *phi = dyn_cast<PHINode>(user);
	return phi ? phi->getIncomingBlock(use) : user->getParent();
}

/* The joins that take values of minima, or whose values minima take, also by way of other joins. */
HalfMinima::Joins HalfMinima::joinsBeside(bool areUsers) const
{
	Joins joins;
	SmallVector<Instruction *, 16> next(members.begin(), members.end());
	while (!next.empty()) {
		Instruction &value = *next.pop_back_val();
		SmallVector<Value *, 8> beside(value.operands());
		if (areUsers)
			beside.assign(value.user_begin(), value.user_end());
		for (Value *other : beside) {
			auto *join = dyn_cast<Instruction>(other);
			if (join && isJoin(*join) && joins.insert(join))
				next.push_back(join);
		}
	}
	return joins;
}

/* Joins that stand between minima, and those that take nothing else. */
void HalfMinima::findJoins()
{
	const Joins users = joinsBeside(true), sources = joinsBeside(false);
	for (Instruction *join : users) {
		if (sources.contains(join))
			members.insert(join);
	}
	for (Instruction *join : users) {
		if (all_of(valuesOf(*join),
			   [&](const Use *use) { return isMember(*use) || isa<Constant>(*use); }))
			members.insert(join);
	}
}

/* Conversions that are not made any more, less those that are new. */
int64_t HalfMinima::gainOf(Instruction &member) const
{
	int64_t gain = isMinimumIntrinsic(member) ? runsOf(member.getParent()) : 0;
	SmallSetVector<std::pair<const BasicBlock *, int>, 4> places;
	for (const Use &use : member.uses()) {
		const bool isCompared = isa<FCmpInst, FPExtInst>(use.getUser()) ||
					isMinimumIntrinsic(*cast<Instruction>(use.getUser()));
		if (isCompared || !isMember(use.getUser()))
			places.insert({placeOf(use), isCompared});
	}
	for (const auto &[block, isCompared] : places)
		gain += (isCompared ? 1 : -1) * runsOf(block);
	if (isJoin(member)) {
		for (const Use *use : valuesOf(member)) {
			const auto *value = dyn_cast<Instruction>(use->get());
			gain -= value && !isMember(value) ? runsOf(value->getParent()) : 0;
		}
	}
	return gain;
}

/* Of members that take each other's values, all become floats or none. */
void HalfMinima::keepGaining()
{
	EquivalenceClasses<Instruction *> classes;
	for (Instruction *member : members) {
		classes.insert(member);
		for (const Use *use : valuesOf(*member)) {
			if (isMember(use->get()))
				classes.unionSets(member, cast<Instruction>(use->get()));
		}
	}
	DenseMap<Instruction *, int64_t> gains;
	for (Instruction *member : members)
		gains[classes.getLeaderValue(member)] += gainOf(*member);
	members.remove_if(
		[&](Instruction *member) { return gains[classes.getLeaderValue(member)] <= 0; });
}

Value *HalfMinima::floatOf(Value &value)
{
	Value *&result = floats[&value];
	if (result)
		return result;
	auto *instruction = dyn_cast<Instruction>(&value);
	const std::optional<BasicBlock::iterator> behind =
		instruction ? instruction->getInsertionPointAfterDef() : std::nullopt;
	BasicBlock::iterator place = behind.value_or(order.front()->getFirstInsertionPt());
	IRBuilder<> builder(place->getParent(), place);
	return result = builder.CreateFPExt(&value,
					    value.getType()->getWithNewType(builder.getFloatTy()));
}

void HalfMinima::makePhi(PHINode &phi)
{
	IRBuilder<> builder(&phi);
	floats[&phi] = builder.CreatePHI(phi.getType()->getWithNewType(builder.getFloatTy()),
					 phi.getNumIncomingValues());
}

void HalfMinima::makeCompare(FCmpInst &compare)
{
	if (!dead.insert(&compare))
		return;
	IRBuilder<> builder(&compare);
	compare.replaceAllUsesWith(
		builder.CreateFCmpFMF(compare.getPredicate(), floatOf(*compare.getOperand(0)),
				      floatOf(*compare.getOperand(1)), &compare));
}

void HalfMinima::make(Instruction &member)
{
	IRBuilder<> builder(&member);
	if (auto *select = dyn_cast<SelectInst>(&member)) {
		if (isHalfMinimum(member))
			makeCompare(*cast<FCmpInst>(select->getCondition()));
		floats[&member] = builder.CreateSelectFMF(
			select->getCondition(), floatOf(*select->getTrueValue()),
			floatOf(*select->getFalseValue()), FMFSource(select));
		return;
	}
	auto &call = cast<IntrinsicInst>(member);
	floats[&member] = builder.CreateBinaryIntrinsic(
		call.getIntrinsicID(), floatOf(*call.getArgOperand(0)),
		floatOf(*call.getArgOperand(1)), FMFSource(&call));
}

void HalfMinima::replaceOtherUses(Instruction &member)
{
	DenseMap<BasicBlock *, Value *> halves; /* at the ends of blocks, for phis */
	for (Use &use : make_early_inc_range(member.uses())) {
		auto *user = cast<Instruction>(use.getUser());
		if (isMember(user) || dead.contains(user))
			continue;
		if (auto *compare = dyn_cast<FCmpInst>(user)) {
			makeCompare(*compare);
			continue;
		}
		const bool isPhi = isa<PHINode>(user);
		IRBuilder<> builder(isPhi ? placeOf(use)->getTerminator() : user);
		if (isa<FPExtInst>(user)) {
			user->replaceAllUsesWith(
				builder.CreateFPExt(floatOf(member), user->getType()));
			dead.insert(user);
			continue;
		}
		Value *known = isPhi ? halves.lookup(placeOf(use)) : nullptr;
		Value *half =
			known ? known : builder.CreateFPTrunc(floatOf(member), member.getType());
		if (isPhi)
			halves[placeOf(use)] = half;
		use.set(half);
	}
}

void HalfMinima::erase()
{
	dead.insert(members.begin(), members.end());
	for (Instruction *instruction : dead)
		instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
	for (Instruction *instruction : dead)
		instruction->eraseFromParent();
}

bool HalfMinima::run()
{
	findJoins();
	keepGaining();
	if (members.empty())
		return false;
	for (Instruction *member : members) {
		if (auto *phi = dyn_cast<PHINode>(member))
			makePhi(*phi);
	}
	for (BasicBlock *block : order) {
		for (Instruction &instruction : make_early_inc_range(*block)) {
			if (isMember(&instruction) && !isa<PHINode>(instruction))
				make(instruction);
		}
	}
	for (Instruction *member : members) {
		if (auto *phi = dyn_cast<PHINode>(member)) {
			for (const auto &[value, block] :
			     zip(phi->incoming_values(), phi->blocks()))
				cast<PHINode>(floats[phi])->addIncoming(floatOf(*value), block);
		}
		replaceOtherUses(*member);
	}
	erase();
	return true;
}

} // namespace

bool promoteHalfMinima(Function &function, FunctionAnalysisManager &analyses)
{
	return any_of(instructions(function), isHalfMinimum) &&
	       HalfMinima(function, analyses.getResult<LoopAnalysis>(function)).run();
}

} // namespace weft
