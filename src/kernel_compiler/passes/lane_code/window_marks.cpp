/* SPDX-License-Identifier: MIT
 *
 * Marks of transposed loads, as two numbers.
 */
#include "lane_code/window_marks.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

using namespace llvm;

namespace weft
{

static constexpr char windowMetadata[] = "weft.window";

void markWindow(Value &value, WindowMark mark)
{
	auto *instruction = dyn_cast<Instruction>(&value);
	if (!instruction)
		return;
	LLVMContext &context = instruction->getContext();
	auto number = [&](unsigned of) -> Metadata * {
		return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), of));
	};
	instruction->setMetadata(windowMetadata, MDNode::get(context, {number(unsigned(mark.role)),
								       number(mark.together)}));
}

std::optional<WindowMark> windowMarkOf(const Instruction &instruction)
{
	const MDNode *node = instruction.getMetadata(windowMetadata);
	if (!node)
		return std::nullopt;
	auto number = [&](unsigned operand) {
		return unsigned(
			mdconst::extract<ConstantInt>(node->getOperand(operand))->getZExtValue());
	};
	return WindowMark{WindowRole(number(0)), number(1)};
}

bool hasWindows(const Function &function)
{
	return any_of(function.getEntryBlock(), [](const Instruction &instruction) {
		return isa<AllocaInst>(instruction) && windowMarkOf(instruction);
	});
}

} // namespace weft
