/* SPDX-License-Identifier: MIT
 *
 * What operations take on the CPU that a module is for. Families of CPUs differ: see cpu_costs.def.
 */
#ifndef WEFT_PASSES_CPU_COSTS_H
#define WEFT_PASSES_CPU_COSTS_H

#include <llvm/IR/Module.h>

namespace weft
{

constexpr unsigned tenthsOfCycle = 10;

/* In tenths of a cycle. */
struct CpuCosts {
	const char *name; /* LLVM's, of the CPU; or of other CPUs */
	/* For each element of a vector. */
	unsigned gather32, gather64; /* of 32 and of 64 bits */
	unsigned load;               /* loaded alone, and put into the vector */
	unsigned scatter;            /* of 32 bits */
	/* Of a scalar one, when others follow that do not need its result. */
	unsigned division32, division64;
	/* For each element of a vector, of integers in floating point, shared: by a divisor whose reciprocal is there. Those of 64 bits count
	 * where the CPU has the instructions (costs/integer_divisions.h). */
	unsigned wideDivision16, wideShared16, wideDivision32, wideShared32, wideDivision64,
		wideShared64;
	/* In floating point: of a scalar, and for each element of a vector. */
	unsigned quotient32, quotient64, root32, root64;
	unsigned wideQuotient32, wideQuotient64, wideRoot32, wideRoot64;
	unsigned misprediction; /* of a branch that goes another way than the CPU has expected */
};

/* Vector operations that a CPU does in a cycle. */
constexpr unsigned vectorsOfCycle = 2;

/* Chooses a module's row. `slowGathers`: weft_target.slow_gathers. */
void setCpu(llvm::Module &module, llvm::StringRef name, bool slowGathers);
/* Those of other CPUs if none has been chosen. */
const CpuCosts &cpuCosts(const llvm::Module &module);
bool hasSlowGathers(const llvm::Module &module);

} // namespace weft

#endif
