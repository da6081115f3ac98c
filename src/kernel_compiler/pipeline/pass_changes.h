/* SPDX-License-Identifier: MIT
 *
 * Which passes of ours change what they run on, for the log (WEFT_LOG=passes=debug). tests/kernel_compiler/firing reads it.
 */
#ifndef WEFT_PASS_CHANGES_H
#define WEFT_PASS_CHANGES_H

#include <llvm/IR/PassInstrumentation.h>

#include <cstdint>

namespace weft
{

/* Compares the module's text before and after each pass of ours. Without the log it does nothing. */
class PassChanges
{
      public:
	explicit PassChanges(llvm::PassInstrumentationCallbacks &callbacks);

      private:
	/* Passes of ours do not run within each other. */
	uint64_t before = 0; /* a hash of the module's text */
};

} // namespace weft

#endif
