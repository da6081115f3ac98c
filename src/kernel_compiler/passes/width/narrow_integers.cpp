/* SPDX-License-Identifier: MIT
 *
 * narrow-integers: bounds of numbers of 32 bits, from those of loaded bytes and shorts on. A number that fits 16 bits with its sign is
 * the same number in both sizes; so are the results of operations whose operands and results all fit.
 */
#include "width/narrow_integers.h"

#include "functions/internal_functions.h"
#include "kernel/shown_group.h"
#include "layout/item_steps.h"
#include "width/lane_cost.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned wideBits = 32, narrowBits = 16;
constexpr uint64_t shareOfNarrow = 4; /* times as many operations as there are others */
constexpr uint64_t scatteredCost =
	8; /* operations, of an access to other places than neighbours' */

bool isWide(const Value &value)
{
	return value.getType()->isIntegerTy(wideBits);
}

/* The numbers of 32 bits of which more is known than that. */
class NumberBounds
{
      public:
	explicit NumberBounds(Function &kernel)
	{
		ReversePostOrderTraversal<Function *> order(&kernel);
		for (const BasicBlock *block : order) {
			for (const Instruction &instruction : *block)
				add(instruction);
		}
	}

	ConstantRange of(const Value &value) const
	{
		if (const auto *number = dyn_cast<ConstantInt>(&value))
			return ConstantRange(number->getValue());
		auto found = ranges.find(&value);
		return found == ranges.end() ? ConstantRange::getFull(wideBits) : found->second;
	}

	bool isSmall(const Value &value) const
	{
		return isWide(value) && smallNumbers().contains(of(value));
	}

      private:
	void add(const Instruction &instruction)
	{
		if (!isWide(instruction))
			return;
		const ConstantRange range = compute(instruction);
		if (!range.isFullSet())
			ranges.try_emplace(&instruction, range);
	}

	/* The larger or the smaller of two numbers, however it is written. */
	std::optional<ConstantRange> computeExtreme(const Instruction &instruction) const
	{
		const Value *left = nullptr, *right = nullptr;
		if (match(&instruction, m_SMin(m_Value(left), m_Value(right))))
			return of(*left).smin(of(*right));
		if (match(&instruction, m_SMax(m_Value(left), m_Value(right))))
			return of(*left).smax(of(*right));
		if (match(&instruction, m_UMin(m_Value(left), m_Value(right))))
			return of(*left).umin(of(*right));
		if (match(&instruction, m_UMax(m_Value(left), m_Value(right))))
			return of(*left).umax(of(*right));
		if (match(&instruction, m_Intrinsic<Intrinsic::abs>(m_Value(left))))
			return of(*left).abs();
		return std::nullopt;
	}

	ConstantRange compute(const Instruction &instruction) const
	{
		if (isa<ZExtInst, SExtInst>(instruction)) {
			const auto &extension = cast<CastInst>(instruction);
			const unsigned bits = extension.getSrcTy()->getIntegerBitWidth();
			return ConstantRange::getFull(bits).castOp(extension.getOpcode(), wideBits);
		}
		if (std::optional<ConstantRange> extreme = computeExtreme(instruction))
			return *extreme;
		if (const auto *select = dyn_cast<SelectInst>(&instruction))
			return of(*select->getTrueValue()).unionWith(of(*select->getFalseValue()));
		if (const auto *phi = dyn_cast<PHINode>(&instruction))
			return ofPhi(*phi);
		const auto *binary = dyn_cast<BinaryOperator>(&instruction);
		if (!binary)
			return ConstantRange::getFull(wideBits);
		const Value &left = *binary->getOperand(0), &right = *binary->getOperand(1);
		const ConstantRange range = of(left).binaryOp(binary->getOpcode(), of(right));
		/* All upper bits are the sign. */
		return binary->isBitwiseLogicOp() && isSmall(left) && isSmall(right)
			       ? range.intersectWith(smallNumbers())
			       : range;
	}

	/* What a loop brings is not known yet. */
	ConstantRange ofPhi(const PHINode &phi) const
	{
		ConstantRange range = ConstantRange::getEmpty(wideBits);
		for (const Use &incoming : phi.incoming_values())
			range = range.unionWith(of(*incoming));
		return range;
	}

	static ConstantRange smallNumbers()
	{
		return ConstantRange::getFull(narrowBits).signExtend(wideBits);
	}

	DenseMap<const Value *, ConstantRange> ranges;
};

/* Operations that give the same number in 16 bits as in 32, if all numbers fit. */
bool mayBeNarrow(const Instruction &instruction, const NumberBounds &bounds)
{
	switch (instruction.getOpcode()) {
	case Instruction::Add:
	case Instruction::Sub:
	case Instruction::Mul:
	case Instruction::And:
	case Instruction::Or:
	case Instruction::Xor:
	case Instruction::Select:
	case Instruction::PHI:
		return true;
	case Instruction::LShr:
		if (!bounds.of(*instruction.getOperand(0)).isAllNonNegative())
			return false;
		[[fallthrough]];
	case Instruction::Shl:
	case Instruction::AShr:
		return bounds.of(*instruction.getOperand(1)).getUnsignedMax().ult(narrowBits);
	default:
		return isa<MinMaxIntrinsic>(instruction) ||
		       match(&instruction, m_Intrinsic<Intrinsic::abs>());
	}
}

bool isNarrow(const Instruction &instruction, const NumberBounds &bounds)
{
	return bounds.isSmall(instruction) && mayBeNarrow(instruction, bounds) &&
	       all_of(instruction.operands(), [&](const Use &operand) {
		       return !isWide(*operand) || bounds.isSmall(*operand);
	       });
}

/* What each work-item computes and accesses for itself. */
class WorkOfItem
{
      public:
	WorkOfItem(Function &kernel, FunctionAnalysisManager &analyses,
		   const NumberBounds &theBounds)
	    : uniformity(analyses.getResult<UniformityAnalysis>(kernel)),
	      loops(analyses.getResult<LoopAnalysis>(kernel)), bounds(theBounds),
	      steps(kernel, uniformity)
	{
		for (const Instruction &instruction : instructions(kernel))
			add(instruction);
	}

	bool isMostlyNarrow() const
	{
		return narrow > 0 && narrow >= shareOfNarrow * others;
	}

      private:
	void add(const Instruction &instruction)
	{
		const uint64_t runs =
			iterationsOf(loops.getLoopFor(instruction.getParent()), nullptr);
		if (instruction.isAtomic())
			others += runs * scatteredCost;
		else if (const Value *pointer = getLoadStorePointerOperand(&instruction))
			others += runs * costOfAccess(instruction, *pointer);
		else if (isComputed(instruction))
			(isSmall(instruction) ? narrow : others) += runs;
	}

	/* Bytes and shorts of neighbours are no obstacle. */
	uint64_t costOfAccess(const Instruction &access, const Value &pointer) const
	{
		const TypeSize bits =
			access.getDataLayout().getTypeSizeInBits(getLoadStoreType(&access));
		const std::optional<int64_t> step = steps.of(pointer);
		if (!uniformity.isVarying(&pointer))
			return 0;
		if (step != int64_t(bits.getFixedValue() / 8))
			return scatteredCost;
		return bits.getFixedValue() / narrowBits;
	}

	/* Not places, nor branches by places. */
	bool isComputed(const Instruction &instruction) const
	{
		if (!isa<BinaryOperator, UnaryOperator, CallBase, CmpInst, SelectInst>(
			    instruction) ||
		    !uniformity.isVarying(&instruction) || steps.of(instruction))
			return false;
		return instruction.getType()->isIntegerTy(1)
			       ? isa<CmpInst>(instruction) &&
					 !all_of(instruction.operands(),
						 [&](const Use &operand) {
							 return steps.of(*operand).has_value();
						 })
			       : !instruction.getType()->isVoidTy();
	}

	bool isSmall(const Instruction &instruction) const
	{
		if (isa<CmpInst>(instruction))
			return bounds.isSmall(*instruction.getOperand(0)) &&
			       bounds.isSmall(*instruction.getOperand(1));
		return isNarrow(instruction, bounds) ||
		       instruction.getType()->getScalarSizeInBits() <= narrowBits;
	}

	const Uniformity &uniformity;
	const LoopInfo &loops;
	const NumberBounds &bounds;
	const ItemSteps steps;
	uint64_t narrow = 0, others = 0; /* operations */
};

/* In 16 bits. What was extended is not extended as far. */
Value *narrowed(IRBuilder<> &builder, Value *value)
{
	Type *type = builder.getIntNTy(narrowBits);
	if (!isWide(*value))
		return value;
	if (isa<ZExtInst, SExtInst>(value)) {
		auto *extension = cast<CastInst>(value);
		Value *source = extension->getOperand(0);
		if (source->getType()->getIntegerBitWidth() <= narrowBits)
			return isa<ZExtInst>(value) ? builder.CreateZExt(source, type)
						    : builder.CreateSExt(source, type);
	}
	return builder.CreateTrunc(value, type);
}

Value *narrowPhi(IRBuilder<> &builder, PHINode &phi)
{
	PHINode *narrow =
		builder.CreatePHI(builder.getIntNTy(narrowBits), phi.getNumIncomingValues());
	for (unsigned i = 0; i < phi.getNumIncomingValues(); i++) {
		BasicBlock *from = phi.getIncomingBlock(i);
		IRBuilder<> atEnd(from->getTerminator());
		const int earlier = narrow->getBasicBlockIndex(from);
		narrow->addIncoming(earlier >= 0 ? narrow->getIncomingValue(unsigned(earlier))
						 : narrowed(atEnd, phi.getIncomingValue(i)),
				    from);
	}
	return narrow;
}

Value *narrowOperation(IRBuilder<> &builder, Instruction &instruction)
{
	if (auto *phi = dyn_cast<PHINode>(&instruction))
		return narrowPhi(builder, *phi);
	SmallVector<Value *, 3> operands;
	for (Value *operand : instruction.operands())
		operands.push_back(narrowed(builder, operand));
	Type *type = builder.getIntNTy(narrowBits);
	if (const auto *call = dyn_cast<IntrinsicInst>(&instruction))
		return builder.CreateIntrinsic(call->getIntrinsicID(), type,
					       ArrayRef(operands).take_front(call->arg_size()));
	Instruction *copy = instruction.clone();
	copy->mutateType(type);
	for (auto [index, operand] : enumerate(operands))
		copy->setOperand(unsigned(index), operand);
	return builder.Insert(copy);
}

void replaceByNarrow(Instruction &instruction)
{
	IRBuilder<> builder(&instruction);
	Value *narrow = narrowOperation(builder, instruction);
	if (isa<PHINode>(instruction))
		builder.SetInsertPoint(instruction.getParent()->getFirstInsertionPt());
	instruction.replaceAllUsesWith(builder.CreateSExt(narrow, instruction.getType()));
	instruction.eraseFromParent();
}

} // namespace

PreservedAnalyses NarrowIntegersPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function) || !seemsToCoalesce(function))
		return PreservedAnalyses::all();
	const NumberBounds bounds(function);
	SmallVector<Instruction *, 32> found;
	for (Instruction &instruction : instructions(function)) {
		if (isNarrow(instruction, bounds))
			found.push_back(&instruction);
	}
	if (found.empty() || !WorkOfItem(function, analyses, bounds).isMostlyNarrow())
		return PreservedAnalyses::all();
	for (Instruction *instruction : found)
		replaceByNarrow(*instruction);
	setKernelNumber(function, narrowIntegersAttribute, 1);
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
