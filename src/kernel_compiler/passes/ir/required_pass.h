/* SPDX-License-Identifier: MIT
 *
 * A base of each pass without which code would be wrong: it runs, whatever passes LLVM is told to leave out.
 */
#ifndef WEFT_PASSES_REQUIRED_PASS_H
#define WEFT_PASSES_REQUIRED_PASS_H

#include <llvm/IR/PassManager.h>

namespace weft
{

struct RequiredPass {
	static bool isRequired()
	{
		return true;
	}
};

} // namespace weft

#endif
