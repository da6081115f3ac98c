/* SPDX-License-Identifier: MIT
 *
 * What a kernel does with its own vectors. A loop counts for ten iterations.
 */
#include "lanes/keep_source_vectors.h"

#include "ir/register_pressure.h"
#include "lanes/lane_cost.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace weft
{

namespace
{

/* For each register that is loaded or stored: 16 x 16 elements take 64. */
constexpr uint64_t shuffles = 4;
/* Vectors of so many bits, or more, of all lanes lie on many cache lines, which shuffles load in an order that CPUs do not
 * prefetch. */
constexpr uint64_t longBits = 256;

class Count
{
      public:
	Count(const Uniformity &theUniformity, VectorRegisters theRegisters)
	    : uniformity(theUniformity), registers(theRegisters)
	{
	}

	bool isFull(const Type &type) const
	{
		return type.isVectorTy() && type.getPrimitiveSizeInBits() >= registers.bits;
	}

	bool isLong(const Type &type) const
	{
		return isFull(type) ||
		       (type.isVectorTy() && type.getPrimitiveSizeInBits() >= longBits);
	}

	void add(const BasicBlock &block, const LoopInfo &loops)
	{
		const Loop *innermost = loops.getLoopFor(&block);
		uint64_t iterations = iterationsOf(innermost, nullptr);
		bool waits = innermost && !accessesVectors(*innermost);
		for (const Instruction &instruction : block)
			add(instruction, iterations, waits);
	}

	uint64_t vectors = 0, others = 0; /* operations in the source */
	/* With elements as lanes' scalars, in halves of operations. */
	uint64_t lost = 0, won = 0;

      private:
	bool isVaryingAccess(const Instruction &instruction) const
	{
		const Value *pointer = getLoadStorePointerOperand(&instruction);
		return pointer && isLong(*getLoadStoreType(&instruction)) &&
		       uniformity.isVarying(pointer);
	}

	bool accessesVectors(const Loop &loop) const
	{
		return any_of(loop.blocks(), [&](const BasicBlock *block) {
			return any_of(*block, [&](const Instruction &instruction) {
				return isVaryingAccess(instruction);
			});
		});
	}

	void add(const Instruction &instruction, uint64_t iterations, bool waits)
	{
		if (isVaryingAccess(instruction)) {
			uint64_t bits = getLoadStoreType(&instruction)->getPrimitiveSizeInBits();
			lost += 2 * iterations * shuffles * bits / registers.bits;
		}
		if (!isa<BinaryOperator, UnaryOperator, CallBase, CmpInst, SelectInst>(instruction))
			return;
		Type *type = isa<CmpInst>(instruction) ? instruction.getOperand(0)->getType()
						       : instruction.getType();
		if (isLong(*type)) {
			vectors += iterations;
			won += waits ? 2 * iterations : isFull(*type) ? 0 : iterations;
		} else if (type->isFPOrFPVectorTy() || type->isIntOrIntVectorTy()) {
			others += iterations;
			won += uniformity.isVarying(&instruction) ? 2 * iterations : 0;
		}
	}

	const Uniformity &uniformity;
	VectorRegisters registers;
};

} // namespace

bool keepsVectors(Function &kernel, const LoopInfo &loops, const Uniformity &uniformity,
		  VectorRegisters registers)
{
	Count count(uniformity, registers);
	for (const BasicBlock &block : kernel)
		count.add(block, loops);
	if (count.vectors == 0)
		return false;
	ReversePostOrderTraversal<Function *> order(&kernel);
	SmallVector<BasicBlock *, 16> blocks(order.begin(), order.end());
	unsigned alive = mostAlive(blocks, loops, [&](const Instruction &value) {
		auto *type = dyn_cast<FixedVectorType>(value.getType());
		bool isOne = type && count.isFull(*type) && uniformity.isVarying(&value);
		return isOne ? type->getNumElements() : 0;
	});
	if (alive > registers.count && count.vectors > count.others)
		return true;
	return count.lost > count.won;
}

} // namespace weft
