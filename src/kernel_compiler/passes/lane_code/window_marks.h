/* SPDX-License-Identifier: MIT
 *
 * What widen-loops says of the code of transposed loads (transposed_windows.h), and unroll-windows and pair-windows read: metadata of single
 * instructions, each with the iterations that are loaded together.
 */
#ifndef WEFT_PASSES_WINDOW_MARKS_H
#define WEFT_PASSES_WINDOW_MARKS_H

#include <llvm/IR/Instructions.h>

#include <optional>

namespace weft
{

enum class WindowRole {
	Memory, /* the variable, an alloca */
	Whole, /* the test whether an iteration is less than those of whole windows: `icmp ult iteration, whole` */
	Within, /* the test whether it is less than those of a window's parts, which are not fewer */
	Place,  /* the iteration's place in a whole window: `and iteration, together - 1` */
	First,  /* the test whether that is 0 */
	Last, /* unroll-windows' test whether an iteration is the one behind whole windows: `icmp eq iteration, whole` */
};

struct WindowMark {
	WindowRole role;
	unsigned together; /* a power of two */
};

/* Does nothing for a constant. */
void markWindow(llvm::Value &value, WindowMark mark);
std::optional<WindowMark> windowMarkOf(const llvm::Instruction &instruction);
/* Whether the function has the variable of a window. */
bool hasWindows(const llvm::Function &function);

} // namespace weft

#endif
