/* SPDX-License-Identifier: MIT
 *
 * form-ternary-logic: cuts of the graph of operations. A cut of an operation is a set of values that it can be computed from; those
 * of at most three values are put together from those of its operands.
 */
#include "after_llvm/form_ternary_logic.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned mostLeaves = 3, mostCuts = 8, leastOperations = 3;
constexpr unsigned registerBits = 512;

/* The truth table of each leaf, as the instruction's immediate encodes it: bit i is the leaf's bit in combination i of the three. */
constexpr uint8_t truthOf[mostLeaves] = {0xF0, 0xCC, 0xAA};

struct Cut {
	SmallVector<Value *, mostLeaves> leaves;
	unsigned operations = 0; /* and, or, xor that it covers */
};

using Cuts = SmallVector<Cut, mostCuts>;

/* A width that the instruction has, or several times the widest. */
bool fitsRegisters(const Type &type)
{
	const auto *vector = dyn_cast<FixedVectorType>(&type);
	if (!vector || !vector->getElementType()->isIntegerTy())
		return false;
	unsigned element = vector->getScalarSizeInBits();
	unsigned bits = element * vector->getNumElements();
	return (element == 32 || element == 64) &&
	       (bits == 128 || bits == 256 || bits % registerBits == 0);
}

/* Shifts to both sides are a rotation. */
bool isRotation(Value *value)
{
	return match(value, m_c_Or(m_Shl(m_Value(), m_Value()), m_LShr(m_Value(), m_Value())));
}

BinaryOperator *logicOf(Value *value)
{
	auto *operation = dyn_cast<BinaryOperator>(value);
	return operation && operation->isBitwiseLogicOp() && fitsRegisters(*value->getType()) &&
			       !isRotation(value)
		       ? operation
		       : nullptr;
}

class LogicJoiner
{
      public:
	LogicJoiner(BasicBlock &theBlock) : block(theBlock)
	{
	}

	bool run()
	{
		SmallVector<BinaryOperator *, 32> operations;
		for (Instruction &instruction : block) {
			BinaryOperator *operation = logicOf(&instruction);
			if (!operation)
				continue;
			findCuts(*operation);
			operations.push_back(operation);
		}
		SmallVector<WeakTrackingVH, 16> dead;
		for (BinaryOperator *operation : reverse(operations)) {
			const Cut &cut = cuts[operation].front();
			if (cut.operations < leastOperations || covered.contains(operation))
				continue;
			cover(*operation, cut);
			operation->replaceAllUsesWith(joined(*operation, cut));
			dead.push_back(operation);
		}
		RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
		return !dead.empty();
	}

      private:
	/* All ones are part of the operation. */
	static bool isFree(Value *value)
	{
		return match(value, m_AllOnes());
	}

	/* The cuts of an operand: the operand itself, and what it is made of if nothing else uses it. */
	Cuts cutsOf(Value *value)
	{
		if (isFree(value))
			return {Cut()};
		Cuts result = {Cut{{value}, 0}};
		auto known = cuts.find(value);
		if (known != cuts.end() && value->hasOneUse())
			append_range(result, known->second);
		return result;
	}

	/* Those that cover most come first. */
	static void add(Cuts &list, const Cut &cut)
	{
		auto *place = upper_bound(list, cut, [](const Cut &a, const Cut &b) {
			return a.operations > b.operations;
		});
		list.insert(place, cut);
		if (list.size() > mostCuts)
			list.pop_back();
	}

	void findCuts(BinaryOperator &operation)
	{
		Cuts found;
		for (const Cut &left : cutsOf(operation.getOperand(0))) {
			for (const Cut &right : cutsOf(operation.getOperand(1))) {
				Cut both = left;
				both.operations += right.operations + 1;
				for (Value *leaf : right.leaves) {
					if (!is_contained(both.leaves, leaf))
						both.leaves.push_back(leaf);
				}
				if (both.leaves.size() <= mostLeaves)
					add(found, both);
			}
		}
		cuts[&operation] = found;
	}

	void cover(BinaryOperator &operation, const Cut &cut)
	{
		for (Value *operand : operation.operands()) {
			auto *inner = dyn_cast<BinaryOperator>(operand);
			if (!inner || is_contained(cut.leaves, operand) ||
			    !covered.insert(inner).second)
				continue;
			cover(*inner, cut);
		}
	}

	/* Three bits' combinations for which the value is set. */
	static uint8_t truth(Value *value, const Cut &cut)
	{
		const auto *leaf = find(cut.leaves, value);
		if (leaf != cut.leaves.end())
			return truthOf[leaf - cut.leaves.begin()];
		if (isFree(value))
			return 0xFF;
		auto *operation = cast<BinaryOperator>(value);
		uint8_t left = truth(operation->getOperand(0), cut);
		uint8_t right = truth(operation->getOperand(1), cut);
		if (operation->getOpcode() == Instruction::And)
			return left & right;
		return operation->getOpcode() == Instruction::Or ? left | right : left ^ right;
	}

	static Intrinsic::ID instructionFor(unsigned element, unsigned bits)
	{
		if (bits == 128)
			return element == 32 ? Intrinsic::x86_avx512_pternlog_d_128
					     : Intrinsic::x86_avx512_pternlog_q_128;
		if (bits == 256)
			return element == 32 ? Intrinsic::x86_avx512_pternlog_d_256
					     : Intrinsic::x86_avx512_pternlog_q_256;
		return element == 32 ? Intrinsic::x86_avx512_pternlog_d_512
				     : Intrinsic::x86_avx512_pternlog_q_512;
	}

	static Value *part(IRBuilder<> &builder, Value *vector, unsigned first, unsigned lanes)
	{
		auto *type = cast<FixedVectorType>(vector->getType());
		if (type->getNumElements() == lanes)
			return vector;
		return builder.CreateShuffleVector(
			vector, to_vector<16>(seq<int>(int(first), int(first + lanes))));
	}

	/* The instruction, for each register that the vector fills. */
	static Value *joined(BinaryOperator &operation, const Cut &cut)
	{
		IRBuilder<> builder(&operation);
		auto *type = cast<FixedVectorType>(operation.getType());
		unsigned element = type->getScalarSizeInBits(), lanes = type->getNumElements();
		unsigned width = std::min(lanes, registerBits / element);
		Value *number = builder.getInt32(truth(&operation, cut));
		SmallVector<Value *, 4> parts;
		for (unsigned first = 0; first < lanes; first += width) {
			SmallVector<Value *, 4> operands;
			for (unsigned i = 0; i < mostLeaves; i++)
				operands.push_back(part(builder,
							cut.leaves[i < cut.leaves.size() ? i : 0],
							first, width));
			operands.push_back(number);
			parts.push_back(builder.CreateIntrinsic(
				instructionFor(element, element * width), operands));
		}
		return concatenateVectors(builder, parts);
	}

	BasicBlock &block;
	DenseMap<Value *, Cuts> cuts;
	DenseSet<const Value *> covered;
};

} // namespace

PreservedAnalyses FormTernaryLogicPass::run(Function &function, FunctionAnalysisManager &)
{
	bool changed = false;
	for (BasicBlock &block : function)
		changed |= LogicJoiner(block).run();
	if (!changed)
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
