/* SPDX-License-Identifier: MIT
 *
 * Times the stages of a compilation for WEFT_LOG=compiler=debug. Costs nothing when that is off.
 */
#ifndef WEFT_STAGE_CLOCK_H
#define WEFT_STAGE_CLOCK_H

#include <chrono>

extern "C" {
#include "log.h"
}

namespace weft
{

class StageClock
{
      public:
	StageClock() : enabled(weft_log_enabled(WEFT_LOG_DEBUG, "compiler"))
	{
		if (enabled)
			last = Clock::now();
	}

	/* Logs the time since the stage before. */
	void done(const char *stage)
	{
		if (!enabled)
			return;
		Clock::time_point now = Clock::now();
		weft_log(WEFT_LOG_DEBUG, "compiler", "%8.3f ms  %s",
			 std::chrono::duration<double, std::milli>(now - last).count(), stage);
		last = Clock::now();
	}

      private:
	using Clock = std::chrono::steady_clock;

	bool enabled;
	Clock::time_point last;
};

} // namespace weft

#endif
