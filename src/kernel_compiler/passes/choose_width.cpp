/* SPDX-License-Identifier: MIT
 *
 * choose-width: as many lanes as numbers of the kernel's usual size fit a vector register.
 */
#include "choose_width.h"

#include "argument_layout.h"
#include "fuse_groups.h"
#include "internal_functions.h"
#include "kernel_abi.h"
#include "own_vectors.h"
#include "packed_vectors.h"
#include "split_vectors.h"
#include "subgroup_functions.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;

namespace weft
{

namespace
{

cl::opt<unsigned> forcedRegister("weft-register-bits", cl::init(0), cl::Hidden,
				 cl::desc("Bits of a vector register; 0: the target's"));
cl::opt<unsigned> forcedCount("weft-register-count", cl::init(0), cl::Hidden,
			      cl::desc("Vector registers; 0: the target's"));

/* What a kernel computes with. */
struct Arithmetic {
	unsigned wide = 0;   /* operations on elements of 64 bits of floating point */
	unsigned narrow = 0; /* on all others */
};

Arithmetic countArithmetic(const Function &kernel)
{
	Arithmetic count;
	for (const Instruction &instruction : instructions(kernel)) {
		if (!isa<BinaryOperator, UnaryOperator, CallBase, CmpInst, SelectInst>(instruction))
			continue;
		Type *type = instruction.getType();
		if (isa<CmpInst>(instruction))
			type = instruction.getOperand(0)->getType();
		if (type->getScalarType()->isDoubleTy())
			count.wide++;
		else if (type->isFPOrFPVectorTy() || type->isIntOrIntVectorTy())
			count.narrow++;
	}
	return count;
}

bool asksForRows(const Function &kernel)
{
	return any_of(instructions(kernel), [](const Instruction &instruction) {
		std::optional<Query> query = queryOf(instruction);
		return (query == Query::LocalId || query == Query::GlobalId) &&
		       match(instruction.getOperand(0), PatternMatch::m_One());
	});
}

/* Sub-groups are as wide as the registers; all work-items of a group fill them, not a row's alone. */
unsigned chooseWidth(const Function &kernel, unsigned registerBits, bool hasSubgroups)
{
	Arithmetic count = countArithmetic(kernel);
	unsigned bits = count.wide > count.narrow ? 64 : 32;
	unsigned width = std::max(registerBits / bits, 1u);
	uint32_t required[3];
	readSizes(kernel, "reqd_work_group_size", required);
	if (!hasSubgroups && seemsToFuse(kernel))
		return width;
	/* A narrow row may share a vector with the next (fold-rows). */
	uint64_t most = required[0];
	if (hasSubgroups)
		most *= uint64_t(required[1]) * required[2];
	else if (isPowerOf2_64(most) && most > 1 && asksForRows(kernel))
		most *= required[1];
	while (required[0] && width > most)
		width /= 2;
	return width;
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

} // namespace

VectorRegisters vectorRegisters(const TargetTransformInfo &target)
{
	TypeSize bits = target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector);
	unsigned count = target.getNumberOfRegisters(target.getRegisterClassForType(true));
	return {forcedCount ? forcedCount : count,
		forcedRegister ? forcedRegister : unsigned(bits.getFixedValue())};
}

PreservedAnalyses ChooseWidthPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	unsigned required = readRequiredSize(function);
	bool hasSubgroups = required > 0 || usesSubgroups(function);
	unsigned asked = hasSubgroups ? subgroupSize : request;
	unsigned width = required ? required : bit_floor(std::min(asked, mostLanes));
	const auto &target = analyses.getResult<TargetIRAnalysis>(function);
	const auto &loops = analyses.getResult<LoopAnalysis>(function);
	const auto &uniformity = analyses.getResult<UniformityAnalysis>(function);
	VectorRegisters registers = vectorRegisters(target);
	unsigned packed = hasSubgroups || width == 1
				  ? 0
				  : packedLanes(function, loops, uniformity, registers);
	if (width == 0) {
		unsigned fitting = chooseWidth(function, registers.bits, hasSubgroups);
		packed = packed <= fitting ? packed : 0;
		bool keeps = !hasSubgroups && !packed &&
			     keepsVectors(function, loops, uniformity, registers);
		width = keeps ? 1 : packed ? packed : fitting;
	}
	setKernelNumber(function, vectorWidthAttribute, width);
	if (request > 0 || hasSubgroups)
		setKernelNumber(function, forcedWidthAttribute, 1);
	if (hasSubgroups)
		setKernelNumber(function, subgroupsAttribute, 1);
	if (width == 1 || packed)
		return PreservedAnalyses::all();
	return SplitVectorsPass().run(function, analyses);
}

} // namespace weft
