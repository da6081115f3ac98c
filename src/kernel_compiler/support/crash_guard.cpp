/* SPDX-License-Identifier: MIT
 *
 * Containment. Each job has a thread, and the thread a record that a pthread key leads to: a signal
 * handler may ask the key (a thread_local of a library opened later might allocate). Signal
 * handlers are the process's, so ours are installed only while jobs run, and pass on what is not a
 * job's. A failure leaves its thread's code by siglongjmp: destructors do not run, but for those of kept variables, before it.
 */
#include "support/crash_guard.h"

#include "llvm/Support/ErrorHandling.h"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace
{

constexpr size_t guardSize = size_t{1} << 20;
constexpr size_t handlerStackSize = size_t{128} << 10;
/* Tried in turn where address space is scarce (RLIMIT_AS, strict overcommit). */
constexpr size_t stackSizes[] = {size_t{512} << 20, size_t{64} << 20, size_t{8} << 20};

/* One job: the body, where it leaves to, and why it left. */
struct Job {
	explicit Job(llvm::function_ref<weft_status()> run) : body(run)
	{
	}

	llvm::function_ref<weft_status()> body;
	weft_status status = WEFT_INTERNAL;
	char *memory = nullptr; /* guard, stack, the handlers' stack */
	size_t stackSize = 0;
	sigset_t callersMask = {};
	std::mutex *held = nullptr; /* of a GuardedLock */
	weft::JobOwnedRecord *kept = nullptr;
	bool mayFree = true; /* it was not left in the middle of an allocation */
	sigjmp_buf exit;
	char reason[512] = "";

	size_t mapped() const
	{
		return guardSize + stackSize + handlerStackSize;
	}
};

constexpr int crashSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
constexpr size_t numCrashSignals = sizeof(crashSignals) / sizeof(*crashSignals);

std::once_flag once;
pthread_key_t jobKey;
std::mutex handlersLock;
unsigned handlersUsers; /* guarded by handlersLock */
struct sigaction previous[numCrashSignals];

Job *currentJob()
{
	return static_cast<Job *>(pthread_getspecific(jobKey));
}

void destroyKept(Job &left);

/* What is kept goes first: from here on the stack is written over. */
[[noreturn]] void leave(Job &job, weft_status status)
{
	job.status = status;
	if (job.mayFree)
		destroyKept(job);
	siglongjmp(job.exit, 1);
}

void passOn(size_t index, siginfo_t *info, void *context)
{
	const struct sigaction &action = previous[index];
	int signal = crashSignals[index];

	if (action.sa_flags & SA_SIGINFO) {
		action.sa_sigaction(signal, info, context);
	} else if (action.sa_handler == SIG_DFL) {
		/* A fault happens again on return; a signal that was sent is sent again. */
		sigaction(signal, &action, nullptr);
		if (info->si_code <= 0)
			raise(signal);
	} else if (action.sa_handler != SIG_IGN) {
		action.sa_handler(signal);
	}
}

/* Of the C library and of the allocator, which may be another's. */
struct CodeRange {
	uintptr_t begin, end;
};
CodeRange allocatorCode[2];

void findCode(const void *function, CodeRange &range)
{
	struct Search {
		uintptr_t address;
		CodeRange &found;
	} search = {reinterpret_cast<uintptr_t>(function), range};

	dl_iterate_phdr(
		[](dl_phdr_info *info, size_t, void *data) {
			auto &wanted = *static_cast<Search *>(data);
			for (int i = 0; i < info->dlpi_phnum; i++) {
				const auto &part = info->dlpi_phdr[i];
				uintptr_t begin = info->dlpi_addr + part.p_vaddr;
				if (part.p_type == PT_LOAD && wanted.address >= begin &&
				    wanted.address < begin + part.p_memsz)
					wanted.found = {begin, begin + part.p_memsz};
			}
			return 0;
		},
		&search);
}

/* Whether the signal came outside of the allocator. One inside may leave a lock held for ever: do not wait for it. */
bool mayFreeAfter(const void *context)
{
	const auto *state = static_cast<const ucontext_t *>(context);
#if defined(__x86_64__)
	auto at = static_cast<uintptr_t>(state->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
	auto at = static_cast<uintptr_t>(state->uc_mcontext.pc);
#else
	return false;
#endif
	for (const CodeRange &range : allocatorCode) {
		if (at >= range.begin && at < range.end)
			return false;
	}
	return true;
}

void describe(Job &job, int signal, const void *address)
{
	const char *stack = job.memory + guardSize;
	const char *fault = static_cast<const char *>(address);
	bool overflow = signal == SIGSEGV && fault >= job.memory && fault < stack + 4096;

	if (overflow)
		snprintf(job.reason, sizeof(job.reason),
			 "the source is nested too deeply: the compiler's stack overflowed");
	else
		snprintf(job.reason, sizeof(job.reason), "the compiler crashed (%s)",
			 sigabbrev_np(signal));
}

void onSignal(int signal, siginfo_t *info, void *context)
{
	size_t index = 0;

	while (index < numCrashSignals - 1 && crashSignals[index] != signal)
		index++;
	if (Job *job = currentJob()) {
		describe(*job, signal, info->si_addr);
		job->mayFree = mayFreeAfter(context);
		leave(*job, WEFT_BUILD_FAILED);
	}
	passOn(index, info, context);
}

void installHandlers()
{
	std::lock_guard<std::mutex> guard(handlersLock);
	struct sigaction action = {};

	if (handlersUsers++ > 0)
		return;
	action.sa_sigaction = onSignal;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < numCrashSignals; i++) {
		struct sigaction found;

		/* Still ours when the application had put its own above ours and took it away. */
		sigaction(crashSignals[i], nullptr, &found);
		if (!(found.sa_flags & SA_SIGINFO) || found.sa_sigaction != onSignal) {
			previous[i] = found;
			sigaction(crashSignals[i], &action, nullptr);
		}
	}
}

void removeHandlers()
{
	std::lock_guard<std::mutex> guard(handlersLock);

	if (--handlersUsers > 0)
		return;
	for (size_t i = 0; i < numCrashSignals; i++) {
		struct sigaction found;

		/* A handler that the application has installed since then stays; it may call ours, which
		 * passes on. */
		sigaction(crashSignals[i], nullptr, &found);
		if ((found.sa_flags & SA_SIGINFO) && found.sa_sigaction == onSignal)
			sigaction(crashSignals[i], &previous[i], nullptr);
	}
}

void onFatalError(void *, const char *reason, bool)
{
	if (Job *job = currentJob()) {
		snprintf(job->reason, sizeof(job->reason), "%s", reason);
		leave(*job, WEFT_BUILD_FAILED);
	}
}

void onBadAlloc(void *, const char *, bool)
{
	if (Job *job = currentJob())
		leave(*job, WEFT_OUT_OF_MEMORY);
}

void onNoMemory()
{
	if (Job *job = currentJob())
		leave(*job, WEFT_OUT_OF_MEMORY);
	std::set_new_handler(nullptr);
}

void initialise()
{
	const auto release = [] { handlersLock.unlock(); };

	pthread_atfork([] { handlersLock.lock(); }, release, release);
	pthread_key_create(&jobKey, nullptr);
	findCode(dlsym(RTLD_DEFAULT, "malloc"), allocatorCode[0]);
	findCode(dlsym(RTLD_DEFAULT, "raise"), allocatorCode[1]);
	llvm::install_fatal_error_handler(onFatalError);
	llvm::install_bad_alloc_error_handler(onBadAlloc);
	std::set_new_handler(onNoMemory);
}

void setSignalMask(const sigset_t &callers)
{
	sigset_t mask = callers;

	for (int signal : crashSignals)
		sigdelset(&mask, signal);
	pthread_sigmask(SIG_SETMASK, &mask, nullptr);
}

void *threadMain(void *argument)
{
	Job &job = *static_cast<Job *>(argument);
	stack_t handlerStack = {};

	handlerStack.ss_sp = job.memory + guardSize + job.stackSize;
	handlerStack.ss_size = handlerStackSize;
	sigaltstack(&handlerStack, nullptr);
	pthread_setspecific(jobKey, &job);
	sigset_t all;
	sigfillset(&all);
	setSignalMask(all);
	if (sigsetjmp(job.exit, 1) == 0)
		job.status = job.body();
	else if (job.held)
		job.held->unlock();
	pthread_setspecific(jobKey, nullptr);
	handlerStack.ss_flags = SS_DISABLE;
	sigaltstack(&handlerStack, nullptr);
	return nullptr;
}

bool mapStack(Job &job)
{
	for (size_t size : stackSizes) {
		job.stackSize = size;
		void *memory = mmap(nullptr, job.mapped(), PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
		if (memory == MAP_FAILED)
			continue;
		job.memory = static_cast<char *>(memory);
		mprotect(job.memory, guardSize, PROT_NONE);
		return true;
	}
	return false;
}

/* Returns false when no thread could be started. */
bool runThread(Job &job)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all;

	if (pthread_attr_init(&attributes) != 0)
		return false;
	pthread_attr_setstack(&attributes, job.memory + guardSize, job.stackSize);
	/* The thread never sees the application's signals, not even before it sets its mask. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &job.callersMask);
	int error = pthread_create(&thread, &attributes, threadMain, &job);
	pthread_sigmask(SIG_SETMASK, &job.callersMask, nullptr);
	pthread_attr_destroy(&attributes);
	if (error == 0)
		pthread_join(thread, nullptr);
	return error == 0;
}

/* On another stack: what is destroyed may point to the one that was left. Ends where a destructor fails. */
void destroyKept(Job &left)
{
	while (weft::JobOwnedRecord *record = left.kept) {
		const auto destroy = [&] {
			record->destroy();
			return WEFT_OK;
		};
		Job job(destroy);
		left.kept = record->before;
		if (!mapStack(job))
			return;
		bool ran = runThread(job);
		munmap(job.memory, job.mapped());
		if (!ran || job.status != WEFT_OK)
			return;
	}
}

} // namespace

namespace weft
{

JobOwnedRecord::JobOwnedRecord(void *theObject, void (*theDestructor)(void *))
    : object(theObject), destructor(theDestructor)
{
	if (Job *job = currentJob()) {
		before = job->kept;
		job->kept = this;
	}
}

JobOwnedRecord::~JobOwnedRecord()
{
	if (Job *job = currentJob())
		job->kept = before;
}

void leaveJob()
{
	if (Job *job = currentJob())
		leave(*job, WEFT_BUILD_FAILED);
	abort();
}

weft_status runGuarded(llvm::function_ref<weft_status()> body, std::string &log)
{
	Job job(body);

	std::call_once(once, initialise);
	if (currentJob()) /* already inside */
		return body();
	if (!mapStack(job))
		return WEFT_OUT_OF_MEMORY;
	installHandlers();
	bool ran = runThread(job);
	removeHandlers();
	munmap(job.memory, job.mapped());
	if (!ran)
		return WEFT_OUT_OF_RESOURCES;
	if (job.reason[0])
		log += std::string("error: ") + job.reason + "\n";
	return job.status;
}

GuardedLock::GuardedLock(std::mutex &mutex) : held(mutex)
{
	held.lock();
	if (Job *job = currentJob())
		job->held = &held;
}

GuardedLock::~GuardedLock()
{
	if (Job *job = currentJob())
		job->held = nullptr;
	held.unlock();
}

} // namespace weft

/* What LLVM, Clang and lld call to end the process; the link options redirect it here (--wrap). */
#define WEFT_WRAP_EXIT(name, type)                                                                 \
	[[noreturn]] void __real_##name(type);                                                     \
	[[noreturn]] void __wrap_##name(type);                                                     \
	void __wrap_##name(type code)                                                              \
	{                                                                                          \
		leaveOnExit();                                                                     \
		__real_##name(code);                                                               \
	}

static void leaveOnExit()
{
	std::call_once(once, initialise);
	if (Job *job = currentJob()) {
		snprintf(job->reason, sizeof(job->reason), "the compiler gave up");
		leave(*job, WEFT_BUILD_FAILED);
	}
}

extern "C" {
WEFT_WRAP_EXIT(exit, int)
WEFT_WRAP_EXIT(_exit, int)

[[noreturn]] void __real_abort(void);
[[noreturn]] void __wrap_abort(void);
void __wrap_abort(void)
{
	leaveOnExit();
	__real_abort();
}
}
