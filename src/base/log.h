/* SPDX-License-Identifier: MIT
 *
 * The log that WEFT_LOG turns on: one line per message on standard error, "weft[topic]: text".
 * Off by default; a disabled message costs one load and one branch.
 */
#ifndef WEFT_BASE_LOG_H
#define WEFT_BASE_LOG_H

#include <stdbool.h>

enum weft_log_level { WEFT_LOG_ERROR, WEFT_LOG_WARN, WEFT_LOG_INFO, WEFT_LOG_DEBUG };

/* Topics: api, runtime, memory, cache, compiler, passes, device. */
bool weft_log_enabled(enum weft_log_level level, const char *topic);
void weft_log(enum weft_log_level level, const char *topic, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Tests only: reads WEFT_LOG's value from the options again. */
void weft_log_reset(void);

#endif
