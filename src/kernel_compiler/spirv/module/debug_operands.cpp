/* SPDX-License-Identifier: MIT
 *
 * The operands of instructions of debug information.
 */
#include "spirv/module/module_reader.h"

namespace weft::spirv
{

std::optional<DebugInstruction> debugInstruction(const ModuleReader &module,
						 const Instruction &instruction)
{
	if (instruction.opcode != spv::Op::OpExtInst)
		return std::nullopt;
	llvm::StringRef set = module.instructionSet(instruction, instruction.id(0));
	const bool hasLiterals = set == "OpenCL.DebugInfo.100";
	if (!hasLiterals && !set.starts_with("NonSemantic.Shader.DebugInfo"))
		return std::nullopt;
	return DebugInstruction{static_cast<DebugInstruction::Number>(instruction.literal(1)),
				hasLiterals, instruction, instruction.operands.drop_front(2)};
}

uint64_t DebugInstruction::number32(const ModuleReader &module, unsigned index) const
{
	return hasLiterals ? word(index) : static_cast<uint32_t>(constant(module, index));
}

uint64_t DebugInstruction::constant(const ModuleReader &module, unsigned index) const
{
	if (!module.isValue(ref(index)))
		return 0;
	const auto *value =
		llvm::dyn_cast<llvm::ConstantInt>(module.value(instruction, ref(index)).value);
	return value ? value->getZExtValue() : 0;
}

llvm::StringRef DebugInstruction::string(const ModuleReader &module, unsigned index) const
{
	return module.stringOrNone(ref(index));
}

} // namespace weft::spirv
