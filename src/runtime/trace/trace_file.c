/* SPDX-License-Identifier: MIT
 *
 * Writing the trace. Invariant: `text` holds whole events, and so does the file up to `written`.
 */
#include "trace/trace_file.h"

#include "file.h"
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The format's process ids: tracks are grouped by them. A queue's is its number behind the threads', and a device's behind
 * all of these. */
enum { THREADS = 1, BEFORE_QUEUES = 1, DEVICES = 1 << 30 };

#define TEXT_SIZE ((size_t)64 * 1024)
#define LONGEST_EVENTS 2048 /* bytes of all that one record becomes */

static int file = -1;
static off_t written;
static char text[TEXT_SIZE];
static size_t used;

bool weft_trace_file_is_open(void)
{
	return file >= 0;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Half an event at the end would be the only thing wrong with the file. */
static void give_up(void)
{
	weft_log(WEFT_LOG_WARN, "runtime", "the trace ends here, the file takes no more: %m");
	(void)!ftruncate(file, written);
	(void)close(file);
	file = -1;
}

void weft_trace_file_flush(void)
{
	size_t done = 0;

	while (file >= 0 && done < used) {
		ssize_t count = weft_file_write_once(file, text + done, used - done);

		if (count > 0)
			done += (size_t)count;
		else if (count == 0 || errno != EINTR)
			give_up();
	}
	written += (off_t)used;
	used = 0;
}

static void put(const char *string)
{
	used = (size_t)(stpcpy(text + used, string) - text);
}

static void put_digits(uint64_t number, unsigned least)
{
	char digits[20];
	unsigned count = 0;

	while (number > 0 || count < least) {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	}
	while (count > 0)
		text[used++] = digits[--count];
}

static void put_number(const char *key, uint64_t number)
{
	put(key);
	put_digits(number, 1);
}

/* The format counts microseconds. */
static void put_time_as(const char *key, uint64_t nanoseconds)
{
	put(key);
	put_digits(nanoseconds / 1000, 1);
	put(".");
	put_digits(nanoseconds % 1000, 3);
}

static void put_time(uint64_t nanoseconds)
{
	put_time_as(",\"ts\":", nanoseconds);
}

/* Bytes of the UTF-8 character at `c`; 0: it is none (RFC 3629). */
static size_t character_size(const unsigned char *c)
{
	size_t size = c[0] < 0x80 ? 1 : c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : 4;

	if (c[0] > 0xF4 || (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F) ||
	    (c[0] == 0xF0 && c[1] < 0x90) || (c[0] == 0xF4 && c[1] > 0x8F))
		return 0;
	for (size_t i = 1; i < size; i++) {
		if ((c[i] & 0xC0) != 0x80)
			return 0;
	}
	return size;
}

/* As JSON asks for (RFC 8259, 7); what is no text becomes question marks. */
static void put_string(const char *string)
{
	const unsigned char *c = (const unsigned char *)string;

	text[used++] = '"';
	while (*c) {
		size_t size = *c < ' ' ? 0 : character_size(c);

		if (*c == '"' || *c == '\\')
			text[used++] = '\\';
		if (size == 0)
			text[used++] = '?';
		for (size_t i = 0; i < size; i++)
			text[used++] = (char)c[i];
		c += size ? size : 1;
	}
	text[used++] = '"';
}

/* ---- events ---------------------------------------------------------------------------------- */

static bool make_room(void)
{
	if (used > TEXT_SIZE - LONGEST_EVENTS)
		weft_trace_file_flush();
	return file >= 0;
}

/* The first event of the array has no comma before it. */
static void begin_event(const char *phase, uint32_t process, uint32_t thread)
{
	put(written == 0 && used == 0 ? "[\n{\"ph\":\"" : ",\n{\"ph\":\"");
	put(phase);
	put_number("\",\"pid\":", process);
	put_number(",\"tid\":", thread);
}

static void put_name(const char *what, uint32_t process, uint32_t thread, const char *name)
{
	begin_event("M", process, thread);
	put(",\"name\":\"");
	put(what);
	put("\",\"args\":{\"name\":");
	put_string(name);
	put("}}");
}

static void put_work(const struct weft_trace_record *record)
{
	put(",\"name\":");
	put_string(record->name);
	if (record->command) {
		put_number(",\"args\":{\"queue\":", record->queue);
		put_number(",\"command\":", record->command);
		if (record->images)
			put_number(",\"images\":", record->images);
		put("}");
	}
	put("}");
}

static void put_enter(uint32_t thread, const struct weft_trace_record *record)
{
	begin_event("B", THREADS, thread);
	put_time(record->time);
	put_work(record);
}

static void put_leave(uint32_t thread, const struct weft_trace_record *record)
{
	begin_event("E", THREADS, thread);
	put_time(record->time);
	put("}");
}

static void put_arrow(const char *phase, const char *name, uint32_t process, uint32_t thread,
		      const struct weft_trace_record *record)
{
	begin_event(phase, process, thread);
	put_time(record->time);
	put(",\"cat\":\"");
	put(name);
	put("\",\"name\":\"");
	put(name);
	put("\"");
	put_number(",\"id\":", record->command);
	put(phase[0] == 'f' ? ",\"bp\":\"e\"}" : "}");
}

static void put_span(const char *phase, const struct weft_trace_record *record, const char *name)
{
	begin_event(phase, BEFORE_QUEUES + record->queue, 0);
	put_time(record->time);
	put(",\"cat\":\"queue\",\"name\":");
	put_string(name);
	put_number(",\"id\":", record->command);
	put("}");
}

static void put_part(uint32_t device, const struct weft_trace_record *record)
{
	begin_event("X", device, record->part);
	put_time(record->time);
	put_time_as(",\"dur\":", record->duration);
	put_work(record);
}

static void put_queue(const struct weft_trace_record *record)
{
	char name[WEFT_TRACE_NAME_SIZE + 32];

	snprintf(name, sizeof(name), "queue %" PRIu32 ", %s", record->queue, record->name);
	put_name("process_name", BEFORE_QUEUES + record->queue, 0, name);
}

void weft_trace_file_write(pid_t thread, const struct weft_trace_record *record)
{
	const uint32_t track = (uint32_t)thread;
	const uint32_t device = DEVICES + record->device;

	if (!make_room())
		return;
	switch ((enum weft_trace_kind)record->kind) {
	case WEFT_TRACE_ENTER:
		put_enter(track, record);
		if (record->arrow)
			put_arrow("f", "ready", THREADS, track, record);
		break;
	case WEFT_TRACE_LEAVE:
		put_leave(track, record);
		break;
	case WEFT_TRACE_READY:
		put_arrow("s", "ready", THREADS, track, record);
		break;
	case WEFT_TRACE_QUEUE:
		put_queue(record);
		break;
	case WEFT_TRACE_WAIT:
		put_span("b", record, "waits");
		break;
	case WEFT_TRACE_BEGIN:
		put_span("e", record, "waits");
		put_span("b", record, record->name);
		break;
	case WEFT_TRACE_END:
		put_span("e", record, record->name);
		break;
	case WEFT_TRACE_DROP:
		put_span("e", record, "waits");
		break;
	case WEFT_TRACE_PART:
		put_name(record->part ? "thread_name" : "process_name", device, record->part,
			 record->name);
		break;
	case WEFT_TRACE_SPAN:
		put_part(device, record);
		break;
	case WEFT_TRACE_FROM:
		put_arrow("s", "follows", device, record->part, record);
		break;
	case WEFT_TRACE_TO:
		put_arrow("f", "follows", device, record->part, record);
		break;
	}
}

void weft_trace_file_name_thread(pid_t thread, const char *name)
{
	if (make_room())
		put_name("thread_name", THREADS, (uint32_t)thread, name);
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool is_ours(const struct stat *info)
{
	return info->st_uid == geteuid() || info->st_uid == 0;
}

/* What another user has put in the trace's place could lead anywhere, or be read by that user: a link or a file counts only
 * if this user or root made it. /dev/stdout is such a link. O_NONBLOCK: a pipe without a reader must not stop us. Returns
 * -1 with errno. */
static int open_ours(const char *path)
{
	const int flags = O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	struct stat info;

	int opened = open(path, flags | O_NOFOLLOW, 0666);
	int error = errno;
	/* The system itself may have refused what is another user's, too. */
	bool known = (opened < 0 ? lstat(path, &info) : fstat(opened, &info)) == 0;
	if (known && !is_ours(&info)) {
		if (opened >= 0)
			close(opened);
		errno = EPERM;
		return -1;
	}
	if (opened < 0 && known && error == ELOOP)
		return open(path, flags, 0666);
	errno = error;
	return opened;
}

void weft_trace_file_open(const char *path)
{
	char name[256];

	file = open_ours(path);
	if (file < 0) {
		weft_log(WEFT_LOG_WARN, "runtime", "cannot write the trace to %s: %s", path,
			 errno == EPERM ? "another user made it" : strerror(errno));
		return;
	}
	(void)!ftruncate(file, 0);
	(void)fcntl(file, F_SETFL, 0); /* a pipe's reader may be slow */
	strncpy(name, program_invocation_short_name, sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	put_name("process_name", THREADS, 0, name);
}

void weft_trace_file_close(void)
{
	if (file < 0)
		return;
	weft_trace_file_flush();
	if (file < 0)
		return;
	put("\n]\n");
	weft_trace_file_flush();
	if (file >= 0 && close(file) != 0)
		weft_log(WEFT_LOG_WARN, "runtime", "the trace may lack its end: %m");
	file = -1;
}

void weft_trace_file_forget(void)
{
	file = -1;
}
