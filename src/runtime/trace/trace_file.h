/* SPDX-License-Identifier: MIT
 *
 * The file of the trace: records become JSON as Perfetto and Chrome's viewer read it, an array with an event a line.
 * Whatever happens to the process, what was flushed is of use: readers do not ask for the end of the array. What cannot
 * be written ends the trace, once, with a line in the log. Calls come one at a time.
 */
#ifndef WEFT_RUNTIME_TRACE_FILE_H
#define WEFT_RUNTIME_TRACE_FILE_H

#include "trace/trace_record.h"

#include <stdbool.h>
#include <sys/types.h>

void weft_trace_file_open(const char *path);
bool weft_trace_file_is_open(void);
void weft_trace_file_name_thread(pid_t thread, const char *name);
void weft_trace_file_write(pid_t thread, const struct weft_trace_record *record);
/* Hands over to the system what was written. */
void weft_trace_file_flush(void);
void weft_trace_file_close(void);
/* In the child of a fork: the file is the parent's. */
void weft_trace_file_forget(void);

#endif
