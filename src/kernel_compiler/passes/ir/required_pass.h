/* SPDX-License-Identifier: MIT
 *
 * The base of a pass without which code would be wrong: it runs, whatever passes LLVM is told to leave out.
 */
#ifndef WEFT_PASSES_REQUIRED_PASS_H
#define WEFT_PASSES_REQUIRED_PASS_H

#include <llvm/IR/PassManager.h>

namespace weft
{

template <typename Pass> struct RequiredPass : llvm::PassInfoMixin<Pass> {
	static bool isRequired()
	{
		return true;
	}
};

} // namespace weft

#endif
