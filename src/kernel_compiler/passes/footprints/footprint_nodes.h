/* SPDX-License-Identifier: MIT
 *
 * From LLVM's scalar evolution to the nodes of a footprint (kernel_footprint.h).
 */
#ifndef WEFT_PASSES_FOOTPRINT_NODES_H
#define WEFT_PASSES_FOOTPRINT_NODES_H

#include "kernel/argument_layout.h"
#include "kernel_footprint.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>

namespace weft
{

class FootprintNodes
{
      public:
	FootprintNodes(llvm::Function &kernel, llvm::ScalarEvolution &theEvolution,
		       const llvm::LoopInfo &theLoops)
	    : evolution(theEvolution), loops(theLoops), layout(layOutArguments(kernel))
	{
	}

	/* The node of a formula; of anything that has none, one that is not known. */
	uint16_t of(const llvm::SCEV *formula);
	/* Of a loop's iterations. */
	uint16_t iteration(const llvm::Loop &loop);

	llvm::ArrayRef<weft_footprint_node> all() const
	{
		return nodes;
	}
	/* There are more than a footprint may have: it is of no use. */
	bool areTooMany() const
	{
		return nodes.size() > WEFT_FOOTPRINT_MOST_NODES;
	}

      private:
	uint16_t add(const weft_footprint_node &node);
	uint16_t unknown(const llvm::SCEV *formula);
	uint16_t constant(unsigned width, int64_t value);
	uint16_t binary(weft_footprint_operation operation, unsigned width, uint16_t a, uint16_t b);
	uint16_t chain(weft_footprint_operation operation, const llvm::SCEVNAryExpr &formula);
	uint16_t recurrence(const llvm::SCEVAddRecExpr &formula);
	uint16_t converted(weft_footprint_operation operation, const llvm::SCEVCastExpr &formula);
	uint16_t make(const llvm::SCEV *formula);
	uint16_t ofValue(const llvm::SCEVUnknown &formula);
	uint16_t ofArgument(const llvm::Argument &argument, uint64_t offset, unsigned width);
	uint16_t ofElement(const llvm::ExtractElementInst &element, const llvm::SCEV *formula);
	uint16_t ofQuery(const llvm::CallInst &call, const llvm::SCEV *formula);
	uint16_t ofDivision(llvm::BinaryOperator &division, const llvm::SCEV *formula);
	uint16_t ofPhi(llvm::PHINode &phi, const llvm::SCEV *formula);

	llvm::ScalarEvolution &evolution;
	const llvm::LoopInfo &loops;
	const ArgumentLayout layout;
	std::vector<weft_footprint_node> nodes;
	llvm::DenseMap<const llvm::SCEV *, uint16_t> known;
	llvm::DenseMap<const llvm::Loop *, uint16_t> iterations;
	unsigned depth = 0;
};

} // namespace weft

#endif
