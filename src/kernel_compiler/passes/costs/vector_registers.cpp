/* SPDX-License-Identifier: MIT
 *
 * Options for tests take the place of the target.
 */
#include "costs/vector_registers.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CommandLine.h>

using namespace llvm;

namespace weft
{

static cl::opt<unsigned> forcedRegister("weft-register-bits", cl::init(0), cl::Hidden,
					cl::desc("Bits of a vector register; 0: the target's"));
static cl::opt<unsigned> forcedCount("weft-register-count", cl::init(0), cl::Hidden,
				     cl::desc("Vector registers; 0: the target's"));

/* A CPU without vectors does vectors element by element, as if its registers had one each. */
constexpr unsigned leastBits = 32;

VectorRegisters vectorRegisters(const TargetTransformInfo &target)
{
	TypeSize bits = target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector);
	unsigned count =
		std::max(target.getNumberOfRegisters(target.getRegisterClassForType(true)), 1u);
	return {forcedCount ? forcedCount : count,
		forcedRegister ? forcedRegister
			       : std::max(unsigned(bits.getFixedValue()), leastBits)};
}

constexpr char permutedFlag[] = "weft-permuted-bits";

unsigned permutedBits(const Module &module)
{
	const auto *bits =
		mdconst::extract_or_null<ConstantInt>(module.getModuleFlag(permutedFlag));
	return bits ? unsigned(bits->getZExtValue()) : 0;
}

void setPermutedBits(Module &module, unsigned bits)
{
	module.setModuleFlag(Module::Max, permutedFlag, bits);
}

} // namespace weft
