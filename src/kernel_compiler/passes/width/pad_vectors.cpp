/* SPDX-License-Identifier: MIT
 *
 * A padded copy of each instruction on vectors of three elements; phis get their operands last. Between those that have no padded form
 * (accesses of memory, calls, arguments of the kernel) and the copies stand shuffles.
 */
#include "width/pad_vectors.h"

#include "lanes/lane_elements.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned odd = 3, padded = 4; /* elements */

bool isOdd(const Type &type)
{
	const auto *vector = dyn_cast<FixedVectorType>(&type);
	return vector && vector->getNumElements() == odd;
}

Type *paddedType(Type *type)
{
	return isOdd(*type) ? FixedVectorType::get(type->getScalarType(), padded) : type;
}

bool hasOddOperand(const Instruction &instruction)
{
	return any_of(instruction.operands(),
		      [](const Use &use) { return isOdd(*use->getType()); });
}

bool hasPaddedForm(const Instruction &instruction)
{
	const auto *call = dyn_cast<IntrinsicInst>(&instruction);
	if (call)
		return isTriviallyVectorizable(call->getIntrinsicID());
	if (isa<BitCastInst>(instruction))
		return isOdd(*instruction.getType()) && hasOddOperand(instruction);
	if (instruction.isIntDivRem())
		return isa<Constant>(instruction.getOperand(1));
	return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst, FreezeInst,
		   PHINode, ShuffleVectorInst, InsertElementInst, ExtractElementInst>(instruction);
}

class VectorPadder
{
      public:
	explicit VectorPadder(Function &function) : kernel(function)
	{
	}

	bool run()
	{
		ReversePostOrderTraversal<Function *> order(&kernel);
		for (BasicBlock *block : order) {
			for (Instruction &instruction : make_early_inc_range(*block)) {
				if (isOdd(*instruction.getType()) || hasOddOperand(instruction))
					pad(instruction);
			}
		}
		for (auto [phi, copy] : phis) {
			for (unsigned i = 0; i < phi->getNumIncomingValues(); i++)
				copy->addIncoming(paddedOf(phi->getIncomingValue(i)),
						  phi->getIncomingBlock(i));
		}
		for (Instruction *instruction : reverse(replaced.getArrayRef())) {
			instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
			instruction->eraseFromParent();
		}
		return !replaced.empty();
	}

      private:
	void pad(Instruction &instruction)
	{
		if (!hasPaddedForm(instruction)) {
			for (Use &use : instruction.operands())
				use.set(narrowOf(use, instruction));
			return;
		}
		Value *copy = copyOf(instruction);
		replaced.insert(&instruction);
		if (isOdd(*instruction.getType()))
			copies[&instruction] = copy;
		else
			instruction.replaceAllUsesWith(copy);
	}

	/* As the instruction takes it. */
	Value *narrowOf(Value *value, Instruction &user)
	{
		auto *instruction = dyn_cast<Instruction>(value);
		if (!instruction || !replaced.contains(instruction))
			return value;
		return IRBuilder<>(&user).CreateShuffleVector(copies.lookup(value),
							      ArrayRef<int>{0, 1, 2});
	}

	Value *copyOf(Instruction &instruction)
	{
		IRBuilder<> builder(&instruction);
		if (auto *phi = dyn_cast<PHINode>(&instruction)) {
			PHINode *copy = builder.CreatePHI(paddedType(phi->getType()),
							  phi->getNumIncomingValues());
			phis.push_back({phi, copy});
			return copy;
		}
		if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction))
			return shuffled(*shuffle, builder);
		if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
			return called(*call, builder);
		Instruction *copy = instruction.clone();
		for (Use &use : copy->operands())
			use.set(paddedOf(use));
		copy->mutateType(paddedType(copy->getType()));
		return builder.Insert(copy, instruction.getName());
	}

	/* Elements of the second vector come behind those of the padded first one. */
	Value *shuffled(const ShuffleVectorInst &shuffle, IRBuilder<> &builder)
	{
		Value *first = paddedOf(shuffle.getOperand(0));
		if (isPadding(shuffle))
			return first;
		const int added = isOdd(*shuffle.getOperand(0)->getType()) ? padded - odd : 0;
		SmallVector<int, 16> mask;
		for (int element : shuffle.getShuffleMask())
			mask.push_back(added && element >= int(odd) ? element + added : element);
		if (isOdd(*shuffle.getType()))
			mask.push_back(PoisonMaskElem);
		return builder.CreateShuffleVector(first, paddedOf(shuffle.getOperand(1)), mask,
						   shuffle.getName());
	}

	Value *called(const IntrinsicInst &call, IRBuilder<> &builder)
	{
		const Intrinsic::ID id = call.getIntrinsicID();
		SmallVector<Value *, 4> operands;
		SmallVector<Type *, 4> types;
		if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr))
			types.push_back(paddedType(call.getType()));
		for (auto [number, operand] : enumerate(call.args())) {
			operands.push_back(paddedOf(operand));
			if (isVectorIntrinsicWithOverloadTypeAtArg(id, int(number), nullptr))
				types.push_back(operands.back()->getType());
		}
		CallInst *copy = builder.CreateIntrinsic(id, types, operands);
		copy->copyIRFlags(&call);
		copy->copyMetadata(call);
		return copy;
	}

	/* The fourth element repeats the third: a divisor is not 0. */
	Value *paddedOf(Value *value)
	{
		const SmallVector<int, padded> mask = {0, 1, 2, 2};
		if (!isOdd(*value->getType()))
			return value;
		if (auto *constant = dyn_cast<Constant>(value))
			return ConstantExpr::getShuffleVector(constant, constant, mask);
		Value *&copy = copies[value];
		if (!copy) {
			BasicBlock::iterator place = kernel.getEntryBlock().getFirstInsertionPt();
			if (auto *instruction = dyn_cast<Instruction>(value))
				place = instruction->getInsertionPointAfterDef().value_or(place);
			copy = IRBuilder<>(place->getParent(), place)
				       .CreateShuffleVector(value, mask);
		}
		return copy;
	}

	Function &kernel;
	DenseMap<Value *, Value *> copies;
	SmallVector<std::pair<PHINode *, PHINode *>, 8> phis;
	SetVector<Instruction *> replaced;
};

} // namespace

unsigned packedElements(const Type &type)
{
	if (!isOdd(type))
		return laneElements(type);
	return padded * laneElements(*type.getScalarType());
}

bool isPadding(const Instruction &instruction)
{
	const auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction);
	if (!shuffle)
		return false;
	const auto *from = cast<FixedVectorType>(shuffle->getOperand(0)->getType());
	ArrayRef<int> mask = shuffle->getShuffleMask();
	auto isKept = [&](unsigned i) { return mask[i] == int(i) || mask[i] == PoisonMaskElem; };
	if (isOdd(*shuffle->getType()) && from->getNumElements() == padded)
		return isKept(0) && isKept(1) && isKept(2);
	const bool isFilled = mask.size() == padded &&
			      (mask[odd] == PoisonMaskElem ||
			       (mask[odd] >= int(odd) && isa<UndefValue>(shuffle->getOperand(1))));
	return isOdd(*from) && isFilled && isKept(0) && isKept(1) && isKept(2);
}

bool padVectors(Function &kernel)
{
	return VectorPadder(kernel).run();
}

} // namespace weft
