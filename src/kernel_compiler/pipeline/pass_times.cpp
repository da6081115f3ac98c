/* SPDX-License-Identifier: MIT
 *
 * Passes and analyses run within each other, so a stack of those that run tells what each takes by itself.
 */
#include "pipeline/pass_times.h"

#include <llvm/ADT/STLExtras.h>

#include <ctime>
#include <vector>

extern "C" {
#include "log.h"
}

using namespace llvm;

namespace weft
{

namespace
{

/* Share of the time of all passes; a pass that takes less is not written. */
constexpr double leastShare = 0.01;

double threadSeconds()
{
	timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

} // namespace

PassTimes::PassTimes(PassInstrumentationCallbacks &callbacks)
    : counts(weft_log_enabled(WEFT_LOG_DEBUG, "compiler"))
{
	if (!counts)
		return;
	const auto begins = [this](StringRef name, Any) { enter(name); };
	callbacks.registerBeforeNonSkippedPassCallback(begins);
	callbacks.registerBeforeAnalysisCallback(begins);
	callbacks.registerAfterPassCallback(
		[this](StringRef, Any, const PreservedAnalyses &) { leave(); }, true);
	callbacks.registerAfterPassInvalidatedCallback(
		[this](StringRef, const PreservedAnalyses &) { leave(); }, true);
	callbacks.registerAfterAnalysisCallback([this](StringRef, Any) { leave(); });
}

void PassTimes::enter(StringRef name)
{
	running.push_back({name, threadSeconds()});
}

void PassTimes::leave()
{
	const Running pass = running.pop_back_val();
	const double took = threadSeconds() - pass.start;

	seconds[pass.name] += took - pass.within;
	if (!running.empty())
		running.back().within += took;
}

PassTimes::~PassTimes()
{
	std::vector<std::pair<double, StringRef>> order;
	double all = 0;

	for (const auto &entry : seconds) {
		order.push_back({entry.second, entry.first()});
		all += entry.second;
	}
	sort(order, [](const auto &a, const auto &b) { return a.first > b.first; });
	for (const auto &[time, name] : order)
		if (time > all * leastShare)
			weft_log(WEFT_LOG_DEBUG, "compiler", "%9.3f ms  in %s", time * 1e3,
				 name.str().c_str());
}

} // namespace weft
