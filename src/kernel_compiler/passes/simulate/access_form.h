/* SPDX-License-Identifier: MIT
 *
 * How an address differs between the work-items of a group, and from round to round of the loops around it: a sum of what all
 * work-items share and of ids and rounds, each times a number that is the same for all of them.
 * Valid for kernels in the form of one work-item, before values that live across barriers go to memory.
 */
#ifndef WEFT_PASSES_ACCESS_FORM_H
#define WEFT_PASSES_ACCESS_FORM_H

#include "ir/uniformity.h"
#include "kernel_abi.h"

#include <llvm/Analysis/LoopInfo.h>

#include <optional>

namespace weft
{

/* What an id or a round is multiplied with, in bytes or units: a constant, or some number that all work-items share. */
struct Step {
	bool isKnown = true;
	int64_t value = 0;

	bool isZero() const
	{
		return isKnown && value == 0;
	}
	bool operator==(const Step &other) const
	{
		return isKnown == other.isKnown && (!isKnown || value == other.value);
	}
};

struct AccessForm {
	Step steps[WEFT_TRANSFER_ROUNDS + 1]; /* of x, y, z, and of the inner loop's rounds */
	/* Whether in each round of the outer loop it is what it was in the one before, and the same number for all more. */
	bool isAhead = true;

	bool isUniform() const
	{
		return *this == AccessForm{{}, isAhead};
	}
	bool operator==(const AccessForm &other) const
	{
		return std::equal(std::begin(steps), std::end(steps), std::begin(other.steps)) &&
		       isAhead == other.isAhead;
	}
};

/* An index of 32 bits that would wrap between work-items of an address that all of them access would leave every object: so
 * it does not. */
class AccessForms
{
      public:
	/* `inner` may be NULL: a loop that has no other in it. `outer`, too: one around it. */
	AccessForms(const Uniformity &theUniformity, const llvm::Loop *theInner,
		    const llvm::Loop *theOuter)
	    : uniformity(theUniformity), inner(theInner), outer(theOuter)
	{
	}
	std::optional<AccessForm> of(const llvm::Value &value, unsigned depth = 0) const;

      private:
	using Form = std::optional<AccessForm>;

	Form ofStructure(const llvm::Instruction &instruction, unsigned depth) const;
	Form ofPhi(const llvm::PHINode &phi, unsigned depth) const;
	Form ofAddress(const llvm::Value &address, unsigned depth) const;
	Form ofProduct(const llvm::Value &left, const llvm::Value &right, unsigned depth) const;

	const Uniformity &uniformity;
	const llvm::Loop *inner, *outer;
};

} // namespace weft

#endif
