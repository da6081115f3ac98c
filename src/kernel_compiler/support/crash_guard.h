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
#include <utility>

namespace weft
{

/* Runs `body` and returns what it returned. When it did not come to its end: WEFT_OUT_OF_MEMORY, or
 * WEFT_BUILD_FAILED with the reason added to `log`; what it had allocated is then lost, but for what Kept objects own, and what it
 * was writing must be thrown away. The caller's thread waits. */
weft_status runContained(llvm::function_ref<weft_status()> body, std::string &log);

/* Leaves the job, or ends the process outside of one: what is wrong is in the log. */
[[noreturn]] void leaveJob();

/* What a job that is left has on its stack and must destroy all the same. Records of one job are a list, the latest first. */
class KeptRecord
{
      public:
	KeptRecord(void *object, void (*destructor)(void *));
	~KeptRecord();
	KeptRecord(const KeptRecord &) = delete;
	KeptRecord &operator=(const KeptRecord &) = delete;

	void destroy()
	{
		destructor(object);
	}

	KeptRecord *before = nullptr;

      private:
	void *object;
	void (*destructor)(void *);
};

/* A local variable of a job that owns much. Its destructor runs when the job is left, too: contained, so that one that stumbles
 * over what the crash left behind does no harm. */
template <typename T> class Kept
{
      public:
	template <typename... Arguments>
	explicit Kept(Arguments &&...arguments)
	    : object(std::forward<Arguments>(arguments)...),
	      record(&object, [](void *kept) { static_cast<T *>(kept)->~T(); })
	{
	}

	T &operator*()
	{
		return object;
	}
	T *operator->()
	{
		return &object;
	}

      private:
	T object;
	KeptRecord record;
};

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
