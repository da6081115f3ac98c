/* SPDX-License-Identifier: MIT
 *
 * lower-scattered: an address for each lane, then its access.
 */
#include "after_llvm/lower_scattered.h"

#include "after_llvm/scattered_access.h"
#include "costs/scattered_costs.h"
#include "ir/hidden_value.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

/* A stack variable that masked lanes access, as large as the largest element; an address of it for each address space. */
class Nowhere
{
      public:
	explicit Nowhere(Function &theFunction) : function(theFunction)
	{
	}

	Value *in(unsigned space)
	{
		Value *&pointer = pointers[space];
		if (pointer)
			return pointer;
		BasicBlock &entry = function.getEntryBlock();
		IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
		if (!place)
			place = new AllocaInst(builder.getInt64Ty(), 0, nullptr, Align(8),
					       "nowhere", entry.begin());
		return pointer = builder.CreateAddrSpaceCast(place, builder.getPtrTy(space));
	}

      private:
	Function &function;
	AllocaInst *place = nullptr;
	DenseMap<unsigned, Value *> pointers;
};

class ScatteredLowering
{
      public:
	ScatteredLowering(const ScatteredAccess &theAccess, Nowhere &theNowhere)
	    : access(theAccess), nowhere(theNowhere), builder(theAccess.call),
	      lanes(theAccess.type()->getNumElements())
	{
	}

	void run()
	{
		if (!hasKnownMask())
			bits = builder.CreateBitCast(builder.CreateFreeze(access.mask()),
						     builder.getIntNTy(lanes));
		readAddresses();
		access.isStore() ? store() : load();
		Value *pointers = access.pointers();
		access.call->eraseFromParent();
		RecursivelyDeleteTriviallyDeadInstructions(pointers);
	}

      private:
	bool hasKnownMask() const
	{
		const auto *mask = dyn_cast<Constant>(access.mask());
		for (unsigned lane = 0; mask && lane < lanes; lane++) {
			const Constant *bit = mask->getAggregateElement(lane);
			if (!isa_and_nonnull<ConstantInt, UndefValue>(bit))
				return false;
		}
		return mask;
	}

	/* One address and indices of 32 bits. */
	void readAddresses()
	{
		auto *step = dyn_cast<GetElementPtrInst>(access.pointers());
		Value *index = nullptr;
		if (!step || step->getNumIndices() != 1 ||
		    step->getPointerOperand()->getType()->isVectorTy() ||
		    !match(step->getOperand(1), m_SExt(m_Value(index))) ||
		    index->getType()->getScalarSizeInBits() != 32)
			return;
		base = step->getPointerOperand();
		unit = step->getSourceElementType();
		hasPairs = lanes % 2 == 0 && access.call->getDataLayout().isLittleEndian();
		auto *pairs = FixedVectorType::get(builder.getInt64Ty(), std::max(lanes / 2, 1u));
		indices = hasPairs ? builder.CreateBitCast(index, pairs) : index;
	}

	/* Two leave the vector in one register. LLVM 22 leaves out the extension of the lower number, where it knows the leading bits of both, in
	 * an address: with the upper one above it. So it must not know them. */
	Value *indexOf(unsigned lane)
	{
		if (!hasPairs)
			return builder.CreateSExt(builder.CreateExtractElement(indices, lane),
						  builder.getInt64Ty());
		if (lane % 2 == 1)
			return builder.CreateAShr(pair, 32);
		pair = hideValue(builder, builder.CreateExtractElement(indices, lane / 2), "r");
		return builder.CreateSExt(builder.CreateTrunc(pair, builder.getInt32Ty()),
					  builder.getInt64Ty());
	}

	Value *addressOf(unsigned lane)
	{
		Value *address = base ? builder.CreateGEP(unit, base, indexOf(lane))
				      : builder.CreateExtractElement(access.pointers(), lane);
		if (!bits)
			return address;
		Value *bit = builder.CreateAnd(
			bits, ConstantInt::get(bits->getType(), APInt::getOneBitSet(lanes, lane)));
		return builder.CreateSelect(
			builder.CreateIsNotNull(bit), address,
			nowhere.in(address->getType()->getPointerAddressSpace()));
	}

	/* Whether it is known that the lane does not run. */
	bool isOff(unsigned lane) const
	{
		return !bits &&
		       !cast<Constant>(access.mask())->getAggregateElement(lane)->isOneValue();
	}

	void load()
	{
		Value *kept = access.call->getArgOperand(2);
		Value *result = bits ? PoisonValue::get(access.type()) : kept;
		for (unsigned lane = 0; lane < lanes; lane++) {
			Value *address = addressOf(lane);
			if (isOff(lane))
				continue;
			Value *element = builder.CreateAlignedLoad(access.type()->getElementType(),
								   address, access.align());
			result = builder.CreateInsertElement(result, element, lane);
		}
		if (bits && !isa<UndefValue>(kept))
			result = builder.CreateSelect(access.mask(), result, kept);
		access.call->replaceAllUsesWith(result);
	}

	/* In the order of lanes: if several store to one place, the last one's value stays. */
	void store()
	{
		for (unsigned lane = 0; lane < lanes; lane++) {
			Value *address = addressOf(lane);
			if (isOff(lane))
				continue;
			Value *element =
				builder.CreateExtractElement(access.call->getArgOperand(0), lane);
			builder.CreateAlignedStore(element, address, access.align());
		}
	}

	const ScatteredAccess &access;
	Nowhere &nowhere;
	IRBuilder<> builder;
	unsigned lanes;
	Value *bits = nullptr; /* of the mask; NULL: it is a constant */
	Value *base = nullptr, *indices = nullptr, *pair = nullptr;
	Type *unit = nullptr;
	bool hasPairs = false;
};

/* Whether addresses follow from ids, so that lanes mostly meet in a few cache lines. Where they were looked up, more misses are
 * under way with gathers, slow ones, too: they take half of the time of as many loads. */
bool isComputed(const Value &addresses)
{
	constexpr size_t most = 32; /* vectors that they are computed from */
	SmallSetVector<const Value *, 32> vectors;
	vectors.insert(&addresses);
	for (size_t next = 0; next < vectors.size() && next < most; next++) {
		if (isa<Constant, InsertElementInst>(vectors[next]))
			continue;
		if (!isa<GetElementPtrInst, BinaryOperator, CastInst, ShuffleVectorInst>(
			    vectors[next]))
			return false;
		for (const Value *operand : cast<User>(vectors[next])->operand_values()) {
			if (operand->getType()->isVectorTy())
				vectors.insert(operand);
		}
	}
	return vectors.size() <= most;
}

/* Elements larger than what lies nowhere are left to LLVM. */
bool isBetterApart(const ScatteredAccess &access, const TargetTransformInfo &target)
{
	FixedVectorType *type = access.type();
	if (type->getScalarSizeInBits() > 64 || access.align() > Align(8))
		return false;
	return !isInstruction(access, target) ||
	       (!access.isStore() && hasSlowGathers(*access.call->getModule()) &&
		match(access.mask(), m_AllOnes()) && isComputed(*access.pointers()));
}

} // namespace

PreservedAnalyses LowerScatteredPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	const auto &target = analyses.getResult<TargetIRAnalysis>(function);
	SmallVector<ScatteredAccess, 16> accesses;
	for (Instruction &instruction : instructions(function)) {
		std::optional<ScatteredAccess> access = readScatteredAccess(instruction);
		if (access && isBetterApart(*access, target))
			accesses.push_back(*access);
	}
	if (accesses.empty())
		return PreservedAnalyses::all();
	Nowhere nowhere(function);
	for (const ScatteredAccess &access : accesses)
		ScatteredLowering(access, nowhere).run();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft
