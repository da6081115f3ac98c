/* SPDX-License-Identifier: MIT
 *
 * Processor time of each pass, for the log (WEFT_LOG=compiler=debug).
 */
#ifndef WEFT_PASS_TIMES_H
#define WEFT_PASS_TIMES_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/PassInstrumentation.h>

namespace weft
{

/* Counts from its construction on, and writes at its end what took longest. Without the log it does nothing. */
class PassTimes
{
      public:
	explicit PassTimes(llvm::PassInstrumentationCallbacks &callbacks);
	~PassTimes();
	PassTimes(const PassTimes &) = delete;
	PassTimes &operator=(const PassTimes &) = delete;

      private:
	void enter(llvm::StringRef name);
	void leave();

	struct Running {
		llvm::StringRef name;
		double start;      /* seconds */
		double within = 0; /* what the passes and analyses that it runs have taken */
	};

	bool counts;
	llvm::SmallVector<Running, 8> running;
	llvm::StringMap<double> seconds; /* without what a pass itself runs */
};

} // namespace weft

#endif
