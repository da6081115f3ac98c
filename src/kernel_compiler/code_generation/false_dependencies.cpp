/* SPDX-License-Identifier: MIT
 *
 * Zeroes registers before instructions that read them without a need.
 */
#include "code_generation/false_dependencies.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

namespace
{

/* The first register that is read though its value does not matter, or null. */
const llvm::MachineOperand *undefinedUse(const llvm::MachineInstr &instruction)
{
	for (const llvm::MachineOperand &operand : instruction.explicit_uses()) {
		if (operand.isReg() && operand.isUndef())
			return &operand;
	}
	return nullptr;
}

class BreakFalseDependencies : public llvm::MachineFunctionPass
{
      public:
	static char ID;

	BreakFalseDependencies() : MachineFunctionPass(ID)
	{
	}

	bool runOnMachineFunction(llvm::MachineFunction &function) override
	{
		const llvm::TargetSubtargetInfo &target = function.getSubtarget();
		const llvm::TargetInstrInfo &set = *target.getInstrInfo();
		bool changed = false;

		for (llvm::MachineBasicBlock &block : function) {
			for (llvm::MachineInstr &instruction : block) {
				const llvm::MachineOperand *use = undefinedUse(instruction);

				if (!use ||
				    !set.getName(instruction.getOpcode()).starts_with("VPTERNLOG"))
					continue;
				set.breakPartialRegDependency(instruction, use->getOperandNo(),
							      target.getRegisterInfo());
				changed = true;
			}
		}
		return changed;
	}

	void getAnalysisUsage(llvm::AnalysisUsage &usage) const override
	{
		usage.setPreservesCFG();
		MachineFunctionPass::getAnalysisUsage(usage);
	}
};

char BreakFalseDependencies::ID;

} // namespace

namespace weft
{

void addBreakFalseDependencies(llvm::TargetPassConfig &config)
{
	config.insertPass(&llvm::ExpandPostRAPseudosID, new BreakFalseDependencies());
}

} // namespace weft
