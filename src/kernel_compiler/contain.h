/* SPDX-License-Identifier: MIT
 *
 * Runs a piece of the compiler where nothing that goes wrong ends the process: on a thread of its
 * own whose stack is large but only paid for when used, with fatal errors of LLVM, failed
 * allocations, exit, abort and the signals of a crash turned into an ordinary failure.
 */
#ifndef WEFT_CONTAIN_H
#define WEFT_CONTAIN_H

#include "status.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <mutex>
#include <string>

namespace weft
{

/* Runs `body` and returns what it returned. When it did not come to its end: WEFT_OUT_OF_MEMORY, or
 * WEFT_BUILD_FAILED with the reason added to `log`; what it had allocated is then lost, and what it
 * was writing must be thrown away. The caller's thread waits. */
weft_status runContained(llvm::function_ref<weft_status()> body, std::string &log);

/* Holds a mutex; a job that is left while it holds one gives it back. One at a time per job. */
class ContainedLock
{
      public:
	explicit ContainedLock(std::mutex &mutex);
	~ContainedLock();
	ContainedLock(const ContainedLock &) = delete;
	ContainedLock &operator=(const ContainedLock &) = delete;

      private:
	std::mutex &held;
};

} // namespace weft

#endif
