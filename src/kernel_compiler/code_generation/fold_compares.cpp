/* SPDX-License-Identifier: MIT
 *
 * Comparisons, by what the target's description does for them.
 */
#include "code_generation/fold_compares.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

namespace
{

class FoldCompares : public llvm::MachineFunctionPass
{
      public:
	static char ID;

	FoldCompares() : MachineFunctionPass(ID)
	{
	}

	bool runOnMachineFunction(llvm::MachineFunction &function) override
	{
		bool changed = false;
		for (llvm::MachineBasicBlock &block : function) {
			for (llvm::MachineInstr &instruction : llvm::make_early_inc_range(block))
				changed |= instruction.isCompare() && fold(instruction, function);
		}
		return changed;
	}

	llvm::StringRef getPassName() const override
	{
		return "Weft: comparisons";
	}

      private:
	static bool fold(llvm::MachineInstr &instruction, llvm::MachineFunction &function)
	{
		const llvm::TargetInstrInfo &target = *function.getSubtarget().getInstrInfo();
		llvm::Register one, other;
		int64_t mask = 0, value = 0;

		return target.analyzeCompare(instruction, one, other, mask, value) &&
		       !one.isPhysical() && !other.isPhysical() &&
		       target.optimizeCompareInstr(instruction, one, other, mask, value,
						   &function.getRegInfo());
	}
};

char FoldCompares::ID = 0;

} // namespace

namespace weft
{

void addFoldCompares(llvm::TargetPassConfig &config)
{
	config.insertPass(&llvm::PeepholeOptimizerLegacyID, new FoldCompares());
}

} // namespace weft
