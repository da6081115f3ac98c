/* SPDX-License-Identifier: MIT
 *
 * The host's side of the compiler: its TargetMachine, the change of a module from spir64 to it, and
 * object code.
 */
#ifndef WEFT_CODE_GENERATION_H
#define WEFT_CODE_GENERATION_H

#include "compiler.h"

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace weft
{

/* For target.cpu, or for the CPU this runs on; `optimise` is false for -cl-opt-disable and for quick code. NULL, with
 * a log, for a CPU that LLVM does not know. Goes back by keepMachine (machine_pool.h). */
std::unique_ptr<llvm::TargetMachine> takeTargetMachine(const weft_target &target, bool optimise,
						       std::string &log);

/* By which name the costs of operations are looked up (cpu_costs.def): this machine's family, or the name of the CPU that was asked for. */
llvm::StringRef costsOf(const llvm::TargetMachine &machine);

/* Whether fma() is an instruction. */
bool hasFastFma(const llvm::TargetMachine &machine);
/* Whether any operation on the bits of three vectors is an instruction, for vectors of any size. */
bool hasTernaryLogic(const llvm::TargetMachine &machine);
/* Whether gathers and scatters take the lanes that they access from a register for masks, and clear it. */
bool hasMaskRegisters(const llvm::TargetMachine &machine);
/* Whether operations on vectors of 32 or 64 bits per element take one element for all lanes from memory. */
bool hasBroadcastOperands(const llvm::TargetMachine &machine);
/* Whether "a < b ? a : b" and "a > b ? a : b" of floating point are an instruction. */
bool selectsMinima(const llvm::TargetMachine &machine);
/* Whether conversions of floats and doubles to integers of 32 and 64 bits, with and without a sign, are AVX-512's instructions. */
bool hasSaturatingConversions(const llvm::TargetMachine &machine);
/* In what vectors elements of 32 bits are permuted by an instruction, in bits: the longest; 0: in none. */
unsigned permutedBits(const llvm::TargetMachine &machine);
/* Bits of the vectors of the precompiled functions (elf_link.h) that kernels for this CPU call; 0: they call none. */
unsigned precompiledBits(const llvm::TargetMachine &machine);
/* Whether some or all operations on halves are done on floats, and converted. */
bool lowersHalves(const llvm::TargetMachine &machine);

/* Whether a reciprocal and a root that are estimated and improved once are within two units in the last place: they are
 * from 14 bits, not from 12. */
bool hasFineEstimates(const llvm::TargetMachine &machine);

/* Gives the module the machine's triple and data layout, its functions the CPU and its features,
 * and takes away what would act when the binary is loaded: constructors, sections of the source's
 * choice, aliases. */
bool retargetModule(llvm::Module &module, const llvm::TargetMachine &machine, std::string &log);

/* An ELF object file in memory. The module is used up. */
bool generateObject(llvm::Module &module, llvm::TargetMachine &machine,
		    llvm::SmallVectorImpl<char> &object, std::string &log);

/* The same as an assembler's text. */
bool generateAssembly(llvm::Module &module, llvm::TargetMachine &machine,
		      llvm::SmallVectorImpl<char> &text, std::string &log);

} // namespace weft

#endif
