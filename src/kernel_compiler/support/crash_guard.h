/* SPDX-License-Identifier: MIT
 *
 * Runs a piece of the compiler so that no fault in it ends the process: on a thread of its
 * own whose stack is large but only paid for when used, with fatal errors of LLVM, failed
 * allocations, exit, abort and the signals of a crash turned into an ordinary failure.
 */
#ifndef WEFT_CRASH_GUARD_H
#define WEFT_CRASH_GUARD_H

#include "status.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <mutex>
#include <string>
#include <utility>

namespace weft
{

/* Runs `body` and returns what it returned. When it did not come to its end: WEFT_OUT_OF_MEMORY, or
 * WEFT_BUILD_FAILED with the reason added to `log`; what it had allocated is then lost, but for what JobOwned objects own, and what it
 * was writing must be thrown away. The caller's thread waits. */
weft_status runGuarded(llvm::function_ref<weft_status()> body, std::string &log);

/* Leaves the job, or ends the process outside of one: what is wrong is in the log. */
[[noreturn]] void leaveJob();

/* What a job that is left has on its stack and must destroy all the same. Records of one job are a list, the latest first. */
class JobOwnedRecord
{
      public:
	JobOwnedRecord(void *object, void (*destructor)(void *));
	~JobOwnedRecord();
	JobOwnedRecord(const JobOwnedRecord &) = delete;
	JobOwnedRecord &operator=(const JobOwnedRecord &) = delete;

	void destroy()
	{
		destructor(object);
	}

	JobOwnedRecord *before = nullptr;

      private:
	void *object;
	void (*destructor)(void *);
};

/* A local variable of a job that owns much. Its destructor runs when the job is left, too: contained, so that one that stumbles
 * over what the crash left behind does no harm. */
template <typename T> class JobOwned
{
      public:
	template <typename... Arguments>
	explicit JobOwned(Arguments &&...arguments)
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
	JobOwnedRecord record;
};

/* Holds a mutex; a job that is left while it holds one gives it back. One at a time per job. */
class GuardedLock
{
      public:
	explicit GuardedLock(std::mutex &mutex);
	~GuardedLock();
	GuardedLock(const GuardedLock &) = delete;
	GuardedLock &operator=(const GuardedLock &) = delete;

      private:
	std::mutex &held;
};

} // namespace weft

#endif
