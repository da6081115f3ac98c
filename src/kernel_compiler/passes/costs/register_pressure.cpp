/* SPDX-License-Identifier: MIT
 *
 * Lifetimes, as intervals of the instructions' numbers.
 */
#include "costs/register_pressure.h"

#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace weft
{

namespace
{

class Lifetimes
{
      public:
	Lifetimes(ArrayRef<BasicBlock *> blocks, const LoopInfo &theLoops) : loops(theLoops)
	{
		for (const BasicBlock *block : blocks) {
			for (const Instruction &instruction : *block)
				place[&instruction] = count++;
			ends[block] = count;
			for (const Loop *loop = loops.getLoopFor(block); loop;
			     loop = loop->getParentLoop())
				loopEnds[loop] = count;
		}
		changes.assign(count + 2, 0);
	}

	void add(const Instruction &value, unsigned registers)
	{
		changes[place.lookup(&value)] += int(registers);
		changes[lastUse(value)] -= int(registers);
	}

	unsigned most() const
	{
		int now = 0, most = 0;
		for (int change : changes)
			most = std::max(most, now += change);
		return unsigned(most);
	}

      private:
	unsigned lastUse(const Instruction &value) const
	{
		unsigned last = place.lookup(&value);
		for (const Use &use : value.uses()) {
			const auto *user = cast<Instruction>(use.getUser());
			const BasicBlock *block = user->getParent();
			unsigned at = place.lookup(user);
			if (const auto *phi = dyn_cast<PHINode>(user)) {
				block = phi->getIncomingBlock(use);
				at = ends.lookup(block);
			}
			for (const Loop *loop = loops.getLoopFor(block);
			     loop && !loop->contains(&value); loop = loop->getParentLoop())
				at = loopEnds.lookup(loop);
			last = std::max(last, at);
		}
		return last;
	}

	const LoopInfo &loops;
	unsigned count = 0;
	DenseMap<const Instruction *, unsigned> place;
	DenseMap<const BasicBlock *, unsigned> ends;
	DenseMap<const Loop *, unsigned> loopEnds;
	SmallVector<int, 128> changes;
};

} // namespace

unsigned mostAlive(ArrayRef<BasicBlock *> blocks, const LoopInfo &loops,
		   function_ref<unsigned(const Instruction &)> registersOf)
{
	Lifetimes lifetimes(blocks, loops);
	for (const BasicBlock *block : blocks) {
		for (const Instruction &instruction : *block) {
			if (unsigned registers = registersOf(instruction))
				lifetimes.add(instruction, registers);
		}
	}
	return lifetimes.most();
}

} // namespace weft
