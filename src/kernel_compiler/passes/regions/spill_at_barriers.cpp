/* SPDX-License-Identifier: MIT
 *
 * spill-at-barriers: first recomputes what is cheap, then gives the rest a slot each.
 */
#include "regions/spill_at_barriers.h"

#include "functions/internal_functions.h"
#include "ir/regions.h"
#include "ir/uniformity.h"
#include "ir/variables.h"
#include "regions/recomputed_values.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned mostAlike = 8; /* phis with one slot */

class BarrierSpiller
{
      public:
	BarrierSpiller(Function &theKernel, const RegionList &theRegions,
		       const Uniformity &theUniformity)
	    : kernel(theKernel), regions(theRegions), uniformity(theUniformity)
	{
	}

	void run()
	{
		for (auto &[value, uses] : crossingUses()) {
			if (queryOf(*value) ||
			    (uniformity.isVarying(value) && isCheapToRecompute(*value, uniformity)))
				recompute(*value, uses);
		}
		UseLists crossing = crossingUses();
		/* What a loop carries gets the phi's place first: what the loop begins with is copied there only once. */
		for (auto &[value, uses] : reverse(crossing))
			shareSlot(*value, uses);
		sharePhiSlots();
		for (auto &[value, uses] : crossing)
			spill(*value, uses);
		for (const Region &region : drop_begin(regions.regions()))
			spillPhis(*region.start);
	}

      private:
	using UseLists = MapVector<Instruction *, SmallVector<Use *, 4>>;

	UseLists crossingUses()
	{
		UseLists crossing;
		for (Instruction &instruction : instructions(kernel)) {
			if (isa<AllocaInst>(instruction))
				continue;
			unsigned home = regions.regionOf(instruction.getParent());
			for (Use &use : instruction.uses()) {
				if (regions.regionOf(use) != home)
					crossing[&instruction].push_back(&use);
			}
		}
		return crossing;
	}

	bool isVarying(Instruction &value) const
	{
		auto original = originals.find(&value);
		return uniformity.isVarying(original == originals.end() ? &value
									: original->second);
	}

	/* The copy of a value at the start of a region, its operands' copies before it. */
	Instruction *copyInto(Instruction &value, unsigned region)
	{
		auto original = originals.find(&value);
		if (original != originals.end())
			return copyInto(*original->second, region);
		auto known = copies.find({&value, region});
		if (known != copies.end())
			return known->second;
		Instruction *copy = value.clone();
		for (Use &use : copy->operands()) {
			auto *operand = dyn_cast<Instruction>(use);
			if (operand && !isa<AllocaInst>(operand) &&
			    regions.regionOf(operand->getParent()) != region &&
			    (queryOf(*operand) || isVarying(*operand)))
				use.set(copyInto(*operand, region));
		}
		copy->insertBefore(startOf(region));
		copy->setName(value.getName());
		copies[{&value, region}] = copy;
		originals[copy] = &value;
		return copy;
	}

	/* Loads of kept values come first in a region, right behind its barrier. */
	BasicBlock::iterator topOf(unsigned region)
	{
		BasicBlock *start = regions.regions()[region].start;
		return start->isEntryBlock()
			       ? start->getFirstNonPHIOrDbgOrAlloca()
			       : std::next(start->getFirstNonPHIOrDbg()->getIterator());
	}

	/* Then come copies, in the order they are made, before what was there already. */
	BasicBlock::iterator startOf(unsigned region)
	{
		Instruction *&marker = markers[region];
		if (!marker)
			marker = &*topOf(region);
		return marker->getIterator();
	}

	void recompute(Instruction &value, ArrayRef<Use *> uses)
	{
		for (Use *use : uses)
			use->set(copyInto(value, regions.regionOf(*use)));
	}

	/* Bits as bytes, those of all work-items one behind the other. */
	static Type *typeInSlot(const Instruction &value)
	{
		Type *type = value.getType();
		return type->isIntegerTy(1) ? Type::getInt8Ty(type->getContext()) : type;
	}

	static void store(Value *value, AllocaInst *slot, BasicBlock::iterator place)
	{
		if (value->getType() != slot->getAllocatedType())
			value = CastInst::CreateZExtOrBitCast(value, slot->getAllocatedType(), "",
							      place);
		new StoreInst(value, slot, place);
	}

	static Instruction *load(const Instruction &value, AllocaInst *slot,
				 BasicBlock::iterator place)
	{
		Type *type = slot->getAllocatedType();
		std::string name = (value.getName() + ".kept").str();
		if (type == value.getType())
			return new LoadInst(type, slot, name, place);
		auto *kept = new LoadInst(type, slot, "", place);
		return CastInst::CreateTruncOrBitCast(kept, value.getType(), name, place);
	}

	AllocaInst *slotOf(Instruction &value)
	{
		AllocaInst *&slot = slots[&value];
		if (slot)
			return slot;
		BasicBlock &entry = kernel.getEntryBlock();
		slot = new AllocaInst(typeInSlot(value), PrivateSpace, value.getName() + ".slot",
				      entry.begin());
		if (!isVarying(value))
			slot->setMetadata(uniformMetadata, MDNode::get(kernel.getContext(), {}));
		return slot;
	}

	bool isStartPhi(const Instruction &value) const
	{
		const BasicBlock *block = value.getParent();
		return isa<PHINode>(value) && startsWithBarrier(*block);
	}

	/* The first phi at the start of a region that takes the value. */
	PHINode *startPhiOf(ArrayRef<Use *> uses) const
	{
		for (const Use *use : uses) {
			auto *phi = dyn_cast<PHINode>(use->getUser());
			if (phi && isStartPhi(*phi))
				return phi;
		}
		return nullptr;
	}

	static const BasicBlock *blockOf(const Use &use)
	{
		const auto *user = cast<Instruction>(use.getUser());
		const auto *phi = dyn_cast<PHINode>(user);
		return phi ? phi->getIncomingBlock(use) : user->getParent();
	}

	using BlockSet = SmallPtrSet<const BasicBlock *, 16>;

	/* The blocks after this one, up to `end`. */
	static BlockSet blocksBetween(const BasicBlock &first, const BasicBlock &end)
	{
		BlockSet seen;
		SmallVector<const BasicBlock *, 16> pending = {&first};
		while (!pending.empty()) {
			for (const BasicBlock *next : successors(pending.pop_back_val())) {
				if (next != &end && seen.insert(next).second)
					pending.push_back(next);
			}
		}
		return seen;
	}

	/* Whether one of the two is wanted where the other one is kept. A region loads what it needs before it keeps
	 * anything. */
	bool interfere(const PHINode &phi, const Instruction &value) const
	{
		const BasicBlock &start = *phi.getParent(), &home = *value.getParent();
		const unsigned region = regions.regionOf(&home);
		BlockSet after = blocksBetween(home, start);
		if (region == regions.regionOf(&start) ||
		    after.contains(regions.regions()[region].start))
			return true;
		BlockSet before = blocksBetween(start, home);
		for (auto [block, incoming] : zip_equal(phi.blocks(), phi.incoming_values())) {
			if (incoming == &value && (before.contains(block) || block == &start))
				return true;
		}
		return any_of(phi.uses(), [&](const Use &use) {
			const BasicBlock *block = blockOf(use);
			return after.contains(block) && regions.regionOf(block) != region;
		});
	}

	/* Whether the phi may be stored between the value and a use of it other than the phi. */
	static bool isOverwrittenFor(ArrayRef<Use *> uses, const PHINode &phi,
				     const Instruction &value)
	{
		const BasicBlock &start = *phi.getParent();
		const BlockSet after = blocksBetween(start, *value.getParent());
		return any_of(uses, [&](const Use *use) {
			const BasicBlock *block = blockOf(*use);
			return use->getUser() != &phi && (block == &start || after.contains(block));
		});
	}

	/* A sum that is carried around a loop with barriers is kept in one place, and not copied from one to the other. */
	void shareSlot(Instruction &value, ArrayRef<Use *> uses)
	{
		PHINode *phi = startPhiOf(uses);
		if (!phi || isStartPhi(value) || !isVarying(value) || !isVarying(*phi) ||
		    value.getType()->isIntegerTy(1) || interfere(*phi, value) ||
		    isOverwrittenFor(uses, *phi, value) ||
		    !shared.insert({phi, regions.regionOf(value.getParent())}).second)
			return;
		AllocaInst *slot = slotOf(*phi);
		slots[&value] = slot;
	}

	/* Regions that may come after a barrier, up to that of another region. */
	SmallSet<unsigned, 8> regionsBetween(unsigned first, unsigned end) const
	{
		SmallSet<unsigned, 8> seen;
		SmallVector<unsigned, 8> pending = {first};
		while (!pending.empty()) {
			const unsigned region = pending.pop_back_val();
			if (region != end && seen.insert(region).second)
				pending.append(regions.regions()[region].successors);
		}
		return seen;
	}

	/* Whether a region loads the phi where the other one's place has been written after the phi's. */
	bool isWantedAfter(const PHINode &phi, const PHINode &other) const
	{
		const unsigned home = regions.regionOf(phi.getParent());
		const SmallSet<unsigned, 8> after =
			regionsBetween(regions.regionOf(other.getParent()), home);
		return any_of(phi.uses(), [&](const Use &use) {
			return after.contains(regions.regionOf(use));
		});
	}

	/* Whether phis at the starts of two regions may have one place. It is written only where the region follows. */
	bool mayShare(PHINode &phi, PHINode &other) const
	{
		auto isWrittenAtEdge = [](const BasicBlock *block) {
			return block->getSingleSuccessor() != nullptr;
		};
		return phi.getType() == other.getType() && phi.getParent() != other.getParent() &&
		       isVarying(phi) && isVarying(other) && !slots.contains(&phi) &&
		       !slots.contains(&other) && all_of(phi.blocks(), isWrittenAtEdge) &&
		       all_of(other.blocks(), isWrittenAtEdge) && !isWantedAfter(phi, other) &&
		       !isWantedAfter(other, phi);
	}

	void join(PHINode &phi, PHINode &other)
	{
		if (alike.isEquivalent(&phi, &other))
			return;
		SmallVector<PHINode *, mostAlike> both(alike.members(&phi));
		if (both.empty())
			both.push_back(&phi);
		const size_t first = both.size();
		append_range(both, alike.members(&other));
		if (both.size() == first)
			both.push_back(&other);
		const ArrayRef<PHINode *> all(both);
		if (all.size() <= mostAlike && all_of(all.take_front(first), [&](PHINode *left) {
			    return all_of(all.drop_front(first),
					  [&](PHINode *right) { return mayShare(*left, *right); });
		    }))
			alike.unionSets(&phi, &other);
	}

	/* What a branch before a barrier may change in a loop, as in `if (c) x = f(x); barrier(…)`, is kept in one place. */
	void sharePhiSlots()
	{
		for (const Region &region : drop_begin(regions.regions())) {
			for (PHINode &phi : region.start->phis()) {
				for (Value *incoming : phi.incoming_values()) {
					auto *other = dyn_cast<PHINode>(incoming);
					if (other && other != &phi && isStartPhi(*other))
						join(phi, *other);
				}
			}
		}
		for (const auto *phi : alike) {
			if (phi->isLeader()) {
				AllocaInst *slot = slotOf(*phi->getData());
				for (PHINode *other : alike.members(phi->getData()))
					slots[other] = slot;
			}
		}
	}

	void spill(Instruction &value, ArrayRef<Use *> uses)
	{
		AllocaInst *slot = slotOf(value);
		DenseMap<unsigned, Instruction *> loads;
		for (Use *use : uses) {
			unsigned region = regions.regionOf(*use);
			Instruction *&kept = loads[region];
			if (!kept)
				kept = load(value, slot, topOf(region));
			use->set(kept);
		}
		if (isStartPhi(value))
			return; /* spillPhis stores it */
		auto place = isa<PHINode>(value) ? value.getParent()->getFirstInsertionPt()
						 : std::next(value.getIterator());
		store(&value, slot, place);
	}

	/* Whether the phi's place may have another value later in the region that loads it. */
	bool changes(const PHINode &phi, const LoadInst &kept) const
	{
		auto other = shared.find(&phi);
		return other != shared.end() && other->second == regions.regionOf(kept.getParent());
	}

	void spillPhis(BasicBlock &start)
	{
		for (PHINode &phi : make_early_inc_range(start.phis())) {
			AllocaInst *slot = slotOf(phi);
			SmallPtrSet<BasicBlock *, 8> stored;
			SmallPtrSet<Instruction *, 2> there; /* loads of what is in its place */
			for (auto [block, value] : zip_equal(phi.blocks(), phi.incoming_values())) {
				auto *kept = dyn_cast<LoadInst>(value);
				auto *other = dyn_cast<PHINode>(value);
				if (other && other != &phi && alike.isEquivalent(&phi, other))
					continue;
				if (kept && kept->getPointerOperand() == slot &&
				    !changes(phi, *kept))
					there.insert(kept);
				else if (stored.insert(block).second)
					store(value, slot, block->getTerminator()->getIterator());
			}
			phi.replaceAllUsesWith(load(
				phi, slot, std::next(start.getFirstNonPHIOrDbg()->getIterator())));
			phi.eraseFromParent();
			for (Instruction *kept : there) {
				if (kept->use_empty())
					kept->eraseFromParent();
			}
		}
	}

	Function &kernel;
	const RegionList &regions;
	const Uniformity &uniformity;
	DenseMap<std::pair<Instruction *, unsigned>, Instruction *> copies;
	DenseMap<Instruction *, Instruction *> originals; /* of copies */
	DenseMap<unsigned, Instruction *> markers;
	DenseMap<Instruction *, AllocaInst *> slots;
	EquivalenceClasses<PHINode *> alike; /* with one slot */
	DenseMap<const PHINode *, unsigned>
		shared; /* whose slot another value has, too: its region */
};

} // namespace

PreservedAnalyses SpillAtBarriersPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	const RegionList &regions = analyses.getResult<RegionAnalysis>(function);
	if (regions.size() < 2)
		return PreservedAnalyses::all();
	const Uniformity &uniformity = analyses.getResult<UniformityAnalysis>(function);
	BarrierSpiller(function, regions, uniformity).run();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	preserved.preserve<RegionAnalysis>();
	return preserved;
}

} // namespace weft
