/* SPDX-License-Identifier: MIT
 *
 * choose-width: as many lanes as numbers of the kernel's usual size fit a vector register.
 */
#include "width/choose_width.h"

#include "costs/vector_registers.h"
#include "functions/element_functions.h"
#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "functions/precompiled_functions.h"
#include "functions/subgroup_functions.h"
#include "kernel/argument_layout.h"
#include "kernel/shown_group.h"
#include "kernel/swapped_dimension.h"
#include "kernel_abi.h"
#include "kernel_waits.h"
#include "layout/item_steps.h"
#include "width/keep_source_vectors.h"
#include "width/lane_cost.h"
#include "width/packed_vectors.h"
#include "width/pad_vectors.h"
#include "width/small_integers.h"
#include "width/split_vectors.h"
#include "width/written_rows.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

#include <utility>

using namespace llvm;

namespace weft
{

namespace
{

/* What a kernel computes with. */
struct Arithmetic {
	uint64_t wide =
		0; /* operations on elements of 64 bits: of floating point, or loaded integers */
	uint64_t small = 0; /* on integers of 8 and 16 bits */
	uint64_t linear =
		0; /* on conditions, and on numbers of known steps from lane to lane, which are one scalar */
	uint64_t narrow = 0; /* on all others */

	void add(Arithmetic other, uint64_t times)
	{
		wide += other.wide * times;
		narrow += other.narrow * times;
		small += other.small * times;
		linear += other.linear * times;
	}
};

bool isLong(const Value &value)
{
	return value.getType()->getScalarType()->isIntegerTy(64);
}

/* Integers of 64 bits that are loaded, and what is computed from them. All others are indices, which lanes mostly have in common but
 * for a constant. */
SmallPtrSet<const Value *, 32> loadedLongs(const Function &kernel)
{
	SmallPtrSet<const Value *, 32> result;
	SmallVector<const Value *, 32> found;
	for (const Instruction &instruction : instructions(kernel)) {
		if (isa<LoadInst>(instruction) && isLong(instruction))
			found.push_back(&instruction);
	}
	while (!found.empty()) {
		const Value *value = found.pop_back_val();
		if (!result.insert(value).second)
			continue;
		for (const User *user : value->users()) {
			if (isLong(*user) && !isa<LoadInst>(user))
				found.push_back(user);
		}
	}
	return result;
}

/* Each becomes an operation of its own. */
unsigned elementsOf(const Type &type)
{
	const auto *vector = dyn_cast<FixedVectorType>(&type);
	return vector ? vector->getNumElements() : 1;
}

/* Counts what each lane does; a loop counts for ten iterations. In a scalar function without loops and uniformity, all. */
class ArithmeticCounter
{
      public:
	ArithmeticCounter(const Function &theKernel, const LoopInfo *theLoops,
			  const Uniformity *theUniformity, const ItemSteps *theSteps)
	    : kernel(theKernel), loops(theLoops), uniformity(theUniformity), steps(theSteps),
	      longs(loadedLongs(theKernel)), small(smallIntegers(theKernel))
	{
	}

	Arithmetic run()
	{
		for (const Instruction &instruction : instructions(kernel)) {
			if (isa<BinaryOperator, UnaryOperator, CallBase, CmpInst, SelectInst>(
				    instruction) &&
			    !(uniformity && !uniformity->isVarying(&instruction)))
				add(instruction);
		}
		return count;
	}

      private:
	void add(const Instruction &instruction)
	{
		const Loop *loop = loops ? loops->getLoopFor(instruction.getParent()) : nullptr;
		const uint64_t iterations = iterationsOf(loop, nullptr);
		if (const Function *elements = elementFunctionCalledBy(instruction)) {
			const auto *type = cast<FixedVectorType>(instruction.getType());
			ArithmeticCounter inner(*scalarOf(*elements), nullptr, nullptr, nullptr);
			count.add(inner.run(), iterations * type->getNumElements());
			return;
		}
		const Type *type = isa<CmpInst>(instruction) ? instruction.getOperand(0)->getType()
							     : instruction.getType();
		if (!type->isFPOrFPVectorTy() && !type->isIntOrIntVectorTy())
			return;
		sort(instruction, *type) +=
			iterations * (elementsOf(*type) + wholeOperationsOf(instruction));
	}

	uint64_t &sort(const Instruction &instruction, const Type &type)
	{
		/* Vectors' longs are no addresses, whose upper bits none needs. */
		bool isWideVector = type.isVectorTy() && type.getScalarSizeInBits() == 64;
		if (type.isDoubleTy() || isWideVector || longs.contains(&instruction) ||
		    (isa<CmpInst>(instruction) && longs.contains(instruction.getOperand(0))))
			return count.wide;
		if (isLinear(instruction) || type.isIntegerTy(1))
			return count.linear;
		return small.contains(&instruction) ? count.small : count.narrow;
	}

	/* With a comparison of such numbers, which is mostly the same in all lanes. */
	bool isLinear(const Instruction &instruction) const
	{
		auto hasStep = [&](const Value *value) {
			return value->getType()->isIntegerTy() && steps->of(*value);
		};
		return steps && (isa<CmpInst>(instruction) ? all_of(instruction.operands(), hasStep)
							   : hasStep(&instruction));
	}

	const Function &kernel;
	const LoopInfo *loops;
	const Uniformity *uniformity;
	const ItemSteps *steps;
	const SmallPtrSet<const Value *, 32> longs;
	const SmallIntegers small;
	Arithmetic count;
};

/* Whether it takes texels as vectors, of which all lanes have one channel after the other (image_operations.h). */
bool usesImages(const Function &kernel)
{
	return any_of(kernel, accessesImages);
}

bool asksForRows(const Function &kernel)
{
	return any_of(instructions(kernel), [](const Instruction &instruction) {
		std::optional<Query> query = queryOf(instruction);
		return (query == Query::LocalId || query == Query::GlobalId) &&
		       match(instruction.getOperand(0), PatternMatch::m_One());
	});
}

/* Bits of the numbers that decide how many lanes there are. Lanes of bytes and shorts take half of a register where there are as many
 * as of 32 bits. More may be too many for a row of a group whose size is not known. */
unsigned usualBits(const Function &kernel, const Arithmetic &count, unsigned registerBits)
{
	constexpr unsigned smallBits = 16, bits = 32, wideBits = 64;
	uint32_t required[3];
	readSizes(kernel, "reqd_work_group_size", required);
	if (getKernelNumber(kernel, narrowIntegersAttribute) > 0)
		return smallBits;
	if (count.wide > count.narrow + count.linear + count.small)
		return wideBits;
	const bool isSmall = count.small > 2 * (count.narrow + count.wide);
	const bool fillsRows = required[0] > 0 && required[0] % (registerBits / smallBits) == 0;
	return isSmall && (fillsRows || seemsToCoalesce(kernel) || !asksForRows(kernel)) ? smallBits
											 : bits;
}

/* Sub-groups are as wide as the registers; all work-items of a group fill them, not a row's alone. */
unsigned chooseWidth(const Function &kernel, Arithmetic count, unsigned registerBits,
		     bool hasSubgroups)
{
	const unsigned bits = usualBits(kernel, count, registerBits);
	unsigned width = std::clamp(registerBits / bits, 1u, mostLanes);
	uint32_t required[3];
	readSizes(kernel, "reqd_work_group_size", required);
	if (!hasSubgroups && seemsToCoalesce(kernel))
		return width;
	/* A narrow row may share a vector with the next (collapse-dimensions). One of half a vector does not: what lies in columns
	 * would be gathered from two rows, and half a vector does as well. */
	uint64_t most = required[0];
	if (hasSubgroups)
		most *= uint64_t(required[1]) * required[2];
	else if (isPowerOf2_64(most) && most > 1 && 2 * most < width && asksForRows(kernel))
		most *= required[1];
	while (required[0] && width > most)
		width /= 2;
	return width;
}

/* How many lanes, where no width is asked for (0), and whether the kernel's own vectors stay as they are. */
std::pair<unsigned, bool> chooseLanes(Function &kernel, FunctionAnalysisManager &analyses,
				      unsigned asked, bool hasSubgroups)
{
	const auto &target = analyses.getResult<TargetIRAnalysis>(kernel);
	VectorRegisters registers = vectorRegisters(target);
	const auto &loops = analyses.getResult<LoopAnalysis>(kernel);
	const auto &uniformity = analyses.getResult<UniformityAnalysis>(kernel);
	const ItemSteps steps(kernel, uniformity);
	Arithmetic count = ArithmeticCounter(kernel, &loops, &uniformity, &steps).run();
	if (hasSubgroups) /* their size is the same whatever their numbers are */
		count.narrow += std::exchange(count.small, 0);
	unsigned fitting = asked ? asked : chooseWidth(kernel, count, registers.bits, hasSubgroups);
	const auto farLanes = unsigned(getKernelNumber(kernel, farLanesAttribute));
	if (!asked && farLanes > 0)
		fitting = std::min(fitting, farLanes);
	if (hasSubgroups || usesImages(kernel))
		return {fitting, false};
	const WrittenRows rows =
		asked ? WrittenRows::None : writtenRows(kernel, loops, uniformity, steps);
	if (rows == WrittenRows::Dependent && !hasVectors(kernel))
		setKernelNumber(kernel, writtenRowsAttribute, 1);
	else if (rows != WrittenRows::None)
		return {1, true};
	const ScatteredCosts costs(target, *kernel.getParent());
	unsigned packed = packedLanes(kernel, loops, uniformity, registers, costs, fitting);
	if (asked)
		return {asked, packed > 0};
	if (packed > 0 && packed <= fitting)
		return {packed, true};
	bool keeps =
		keepsVectors(kernel, {loops, analyses.getResult<ScalarEvolutionAnalysis>(kernel),
				      uniformity, registers, costs, fitting});
	return {keeps ? 1 : fitting, keeps};
}

/* 0 when the kernel asks for no size, or for one that there is not. */
unsigned readRequiredSize(const Function &kernel)
{
	constexpr uint32_t sizes[] = WEFT_SUBGROUP_SIZES;
	uint32_t required = requiredSubgroupSize(kernel);
	if (required == 0 || is_contained(sizes, required))
		return required;
	std::string list;
	for (uint32_t size : sizes)
		list += (list.empty() ? "" : ", ") + std::to_string(size);
	reportError(kernel, "error: kernel '" + kernel.getName() + "' requires sub-groups of " +
				    Twine(required) + "; there are sub-groups of " + list);
	return 0;
}

bool runsItemsAlone(const Function &kernel)
{
	return getKernelNumber(kernel, flagsAttribute) & WEFT_KERNEL_ITEMS_ALONE;
}

/* Calls of element functions, but for those that are done once for all lanes: their elements are lanes enough. Vectors that are kept of
 * their own accord stay calls. */
bool inlineVaryingCalls(Function &kernel, FunctionAnalysisManager &analyses, unsigned width)
{
	const auto &uniformity = analyses.getResult<UniformityAnalysis>(kernel);
	return inlineElementCalls(kernel, [&](const CallInst &call) {
		return width > 1 && !uniformity.isVarying(&call);
	});
}

} // namespace

PreservedAnalyses ChooseWidthPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	unsigned required = readRequiredSize(function);
	bool hasSubgroups = required > 0 || usesSubgroups(function);
	unsigned asked = hasSubgroups ? subgroupSize : runsItemsAlone(function) ? 1 : request;
	unsigned width = required ? required : bit_floor(std::min(asked, mostLanes));
	bool keeps = width == 1;
	if (!keeps && !(width > 0 && hasSubgroups))
		std::tie(width, keeps) = chooseLanes(function, analyses, width, hasSubgroups);
	setKernelNumber(function, vectorWidthAttribute, width);
	if (request > 0 || hasSubgroups)
		setKernelNumber(function, forcedWidthAttribute, 1);
	if (hasSubgroups)
		setKernelNumber(function, subgroupsAttribute, 1);
	const bool keepsCalls = keeps && width == 1 && asked == 0;
	const bool inlines = !keepsCalls && getKernelNumber(function, elementCallsAttribute) > 0 &&
			     inlineVaryingCalls(function, analyses, width);
	if (inlines)
		analyses.invalidate(function, PreservedAnalyses::none());
	if (keeps && width > 1 && padVectors(function))
		return PreservedAnalyses::none();
	if (keeps)
		return inlines ? PreservedAnalyses::none() : PreservedAnalyses::all();
	PreservedAnalyses preserved = SplitVectorsPass().run(function, analyses);
	return inlines ? PreservedAnalyses::none() : preserved;
}

} // namespace weft
