/* SPDX-License-Identifier: MIT
 *
 * Places in memory as sums of numbers times constants, and between which bounds such a sum lies where an instruction stands.
 */
#ifndef WEFT_PASSES_LINEAR_PLACE_H
#define WEFT_PASSES_LINEAR_PLACE_H

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <optional>

namespace weft
{

/* The sum of the terms' numbers, signed, times their factors, and of the constant. Numbers are of 64 bits or fewer. */
struct LinearPlace {
	llvm::SmallMapVector<llvm::Value *, int64_t, 4> terms;
	int64_t constant = 0;

	/* Adds `factor` times another one. False where that does not fit. */
	bool add(const LinearPlace &other, int64_t factor);
};

struct Bounds {
	std::optional<int64_t> least, most;
};

class LinearPlaces
{
      public:
	LinearPlaces(llvm::ScalarEvolution &theEvolution, llvm::DominatorTree &theDominators)
	    : evolution(theEvolution), dominators(theDominators)
	{
	}

	/* Says between which numbers a value lies. */
	void know(const llvm::Value &value, int64_t least, int64_t most)
	{
		known[&value] = {least, most};
	}
	/* The value of a number. All terms lie within 2^40, so no sum wraps; nullopt where one may not. */
	std::optional<LinearPlace> of(llvm::Value &number);
	/* How far an address is from the one that it is made of, in bytes. */
	std::optional<LinearPlace> ofStep(llvm::GetElementPtrInst &address);
	/* In all runs of the instruction. */
	Bounds boundsAt(const LinearPlace &place, const llvm::Instruction &instruction);

      private:
	bool addTerm(LinearPlace &to, llvm::Value &number, int64_t factor);
	bool addNumber(LinearPlace &to, llvm::Value &number, int64_t factor, unsigned depth);
	bool addOperator(LinearPlace &to, llvm::Operator &number, int64_t factor, unsigned depth,
			 bool &isSum);
	bool isNotNegative(llvm::Value &number, unsigned depth);
	Bounds boundsOf(llvm::Value &term);
	Bounds boundsOf(const LinearPlace &place);
	int64_t divisorOf(const LinearPlace &place);
	llvm::SmallVector<LinearPlace, 4> notPositiveAt(const llvm::BasicBlock &block);
	void addFacts(llvm::SmallVectorImpl<LinearPlace> &facts, llvm::Value &condition,
		      bool holds);

	llvm::DenseMap<const llvm::Value *, Bounds> known;
	llvm::ScalarEvolution &evolution;
	llvm::DominatorTree &dominators;
};

} // namespace weft

#endif
