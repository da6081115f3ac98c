/* SPDX-License-Identifier: MIT
 *
 * The counter of a kernel whose cycles are counted, for a simulated device: a variable of the work-item, an i64, to which
 * count-cycles makes each block add, and of which work-item-loops makes a value for each region. A function that stays a call
 * has a parameter for it. Other kernels have none.
 * Where what executes the code counts (weft_costs.executed), nothing uses the variable, and the code has marks: instructions
 * that say where a work-item is (src/devices/accel/riscv/code.h, enum riscv_mark).
 */
#ifndef WEFT_PASSES_CYCLE_COUNTER_H
#define WEFT_PASSES_CYCLE_COUNTER_H

#include <llvm/IR/IRBuilder.h>

namespace weft
{

/* Of the variable, and of the parameter. */
constexpr char cyclesMetadata[] = "weft.cycles";

/* Whether this is the variable. */
bool countsCycles(const llvm::AllocaInst &variable);

/* Whether the code that belongs to the variable has marks. */
bool isExecuted(const llvm::AllocaInst &variable);
void setExecuted(llvm::AllocaInst &variable);

enum class CycleMark : unsigned { FirstRegion, Region, End };
/* Accesses of global memory that the transfer with this number may replace have been made. */
void markTransferred(llvm::IRBuilder<> &builder, uint32_t transfer, uint64_t accesses);
void markCycles(llvm::IRBuilder<> &builder, CycleMark mark);

/* The variable's address in a function that counts, or nullptr. */
llvm::Value *cycleCounter(llvm::Function &function);

/* Emits the call of weft_work_context.measure. */
void reportCycles(llvm::IRBuilder<> &builder, llvm::Value *items, unsigned region);

} // namespace weft

#endif
