/* SPDX-License-Identifier: MIT
 *
 * The counter of a kernel whose cycles are counted, for a simulated device: a variable of the work-item, an i64, to which
 * count-cycles makes each block add, and of which work-item-loops makes a value for each region. A function that stays a call
 * has a parameter for it. Other kernels have none.
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

/* The variable's address in a function that counts, or nullptr. */
llvm::Value *cycleCounter(llvm::Function &function);

/* Emits the call of weft_work_context.measure. */
void reportCycles(llvm::IRBuilder<> &builder, llvm::Value *items, unsigned region);

} // namespace weft

#endif
