/* SPDX-License-Identifier: MIT
 *
 * How an address differs between the work-items of a group, and between iterations of the loops around it: a sum of a
 * uniform value and of ids and iteration numbers, each times a uniform number.
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

/* The factor of an id or an iteration number, in bytes or units: a constant, or an unknown uniform number. */
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
	Step steps[WEFT_TRANSFER_ITERATIONS +
		   1]; /* of x, y, z, and of the inner loop's iteration number */
	/* Whether each iteration of the outer loop adds one number to the address, equal for all iterations. */
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

/* Assumes that no 32-bit index wraps between work-items that all access the address: it would leave every object. */
class AccessForms
{
      public:
	/* `inner`: a loop without loops in it, or NULL. `outer`: a loop around it, or NULL. */
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
