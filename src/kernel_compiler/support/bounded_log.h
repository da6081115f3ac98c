/* SPDX-License-Identifier: MIT
 *
 * A build's log does not grow past a limit, however much there is to say: a source of a few lines can have Clang say it a
 * million times.
 */
#ifndef WEFT_BOUNDED_LOG_H
#define WEFT_BOUNDED_LOG_H

#include "llvm/Support/raw_ostream.h"

#include <string>

namespace weft
{

constexpr size_t maxLog = size_t{1} << 20; /* bytes, without the line that says so */

/* Cuts a log that is too long at the end of a line, and says so. */
inline void boundLog(std::string &log)
{
	if (log.size() <= maxLog)
		return;
	size_t end = log.rfind('\n', maxLog);
	log.resize(end == std::string::npos ? maxLog : end);
	log += "\nnote: the log is cut here; it was longer than " + std::to_string(maxLog) +
	       " bytes\n";
}

/* Appends to a string until that is just longer than a log may be. */
class BoundedLog : public llvm::raw_ostream
{
      public:
	explicit BoundedLog(std::string &text) : raw_ostream(true), log(text)
	{
	}

      private:
	void write_impl(const char *data, size_t size) override
	{
		if (log.size() <= maxLog)
			log.append(data, std::min(size, maxLog + 1));
	}
	uint64_t current_pos() const override
	{
		return log.size();
	}

	std::string &log;
};

} // namespace weft

#endif
