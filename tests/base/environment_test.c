/* SPDX-License-Identifier: MIT
 *
 * Environment options and the log that one of them turns on.
 */
#include "common.h"

#include "captured.h"
#include "log.h"
#include "options.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what goes to standard error ------------------------------------------------------------- */

static struct capture errors;

static void catch_errors(void)
{
	errors = capture_begin(STDERR_FILENO);
}

/* The text is there until the next call. */
static const char *caught_errors(void)
{
	static char *text;

	free(text);
	text = capture_end(&errors);
	return text;
}

static int clean(void **state)
{
	(void)state;
#define WEFT_OPTION(field, kind, name, preset, help) unsetenv(name);
#include "options.def"
#undef WEFT_OPTION
	weft_options_reset();
	return 0;
}

/* The options as they are with NAME=value, and what reading them printed. */
static const struct weft_options *with(const char *name, const char *value, const char **printed)
{
	setenv(name, value, 1);
	catch_errors();
	weft_options_reset();
	*printed = caught_errors();
	unsetenv(name);
	return weft_options();
}

/* ---- options --------------------------------------------------------------------------------- */

static void expect_text(const char *text, const char *expected)
{
	if (!text || !expected)
		assert_ptr_equal(text, expected);
	else
		assert_string_equal(text, expected);
}

static void defaults(void **state)
{
	const struct weft_options *options = weft_options();

	(void)state;
#define WEFT_OPTION_CHECK_STRING(field, preset) expect_text(options->field, preset);
#define WEFT_OPTION_CHECK_FILE WEFT_OPTION_CHECK_STRING
#define WEFT_OPTION_CHECK_FOLDER WEFT_OPTION_CHECK_STRING
#define WEFT_OPTION_CHECK_NUMBER(field, preset) assert_int_equal(options->field, preset);
#define WEFT_OPTION_CHECK_SIZE(field, preset) assert_int_equal(options->field, preset);
#define WEFT_OPTION_CHECK_FLAG(field, preset) assert_int_equal(options->field, preset);
#define WEFT_OPTION(field, kind, name, preset, help) WEFT_OPTION_CHECK_##kind(field, preset)
#include "options.def"
#undef WEFT_OPTION
}

static void sizes(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = {{"0", 0},        {"123", 123},     {"2K", 2048},
		    {"3m", 3 << 20}, {"1G", 1 << 30},  {"2T", UINT64_C(2) << 40},
		    {"0x10", 16},    {"0x10k", 16384}, {"18446744073709551615", UINT64_MAX}};
	static const char *const bad[] = {"x",
					  "1X",
					  "1KB",
					  "K",
					  "-1",
					  "1 G",
					  "1.5G",
					  "18446744073709551616",
					  "17179869184G",
					  "99999999999T"};
	const char *printed;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(with("WEFT_MAX_MEMORY", good[i].text, &printed)->max_memory,
				 good[i].value);
		assert_string_equal(printed, "");
		assert_true(weft_option_takes("WEFT_MAX_MEMORY", good[i].text));
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_false(weft_option_takes("WEFT_MAX_MEMORY", bad[i]));
		assert_int_equal(with("WEFT_MAX_MEMORY", bad[i], &printed)->max_memory, 0);
		assert_non_null(strstr(printed, "WEFT_MAX_MEMORY"));
		assert_non_null(strstr(printed, bad[i]));
	}
}

static void numbers(void **state)
{
	static const char *const bad[] = {"x", "1x", "1 ", "9999999999999999999999", "4K"};
	const char *printed;

	(void)state;
	assert_true(weft_option_takes("WEFT_THREADS", "17"));
	assert_false(weft_option_takes("WEFT_THREADS", "4K"));
	assert_false(weft_option_takes("WEFT_CACHE", "yes"));
	assert_true(weft_option_takes("WEFT_TRACE", "a file"));
	assert_false(weft_option_takes("WEFT_NO_SUCH_OPTION", "1"));
	assert_int_equal(with("WEFT_THREADS", "17", &printed)->threads, 17);
	assert_int_equal(with("WEFT_THREADS", "-3", &printed)->threads, -3);
	assert_int_equal(with("WEFT_THREADS", "0x20", &printed)->threads, 32);
	assert_string_equal(printed, "");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(with("WEFT_THREADS", bad[i], &printed)->threads, 0);
		assert_non_null(strstr(printed, "WEFT_THREADS"));
	}
}

static void flags(void **state)
{
	const char *printed;

	(void)state;
	assert_false(with("WEFT_CACHE", "0", &printed)->cache);
	assert_true(with("WEFT_CACHE", "1", &printed)->cache);
	assert_string_equal(printed, "");
	assert_true(with("WEFT_CACHE", "yes", &printed)->cache);
	assert_non_null(strstr(printed, "WEFT_CACHE"));
	assert_true(with("WEFT_CACHE", "2", &printed)->cache);
	assert_true(with("WEFT_CACHE", "", &printed)->cache); /* empty is unset */
	assert_string_equal(printed, "");
}

/* Strings are copies. */
static void strings(void **state)
{
	const char *printed;
	const char *devices = with("WEFT_DEVICES", "basic", &printed)->devices;

	(void)state;
	assert_string_equal(devices, "basic");
	setenv("WEFT_DEVICES", "other", 1);
	assert_string_equal(weft_options()->devices, "basic");
	unsetenv("WEFT_DEVICES");
	weft_options_reset();
	assert_string_equal(devices, "basic"); /* for a caller that still has it */
	assert_string_equal(weft_options()->devices, "pthread");
}

static void help(void **state)
{
	const char *printed;

	(void)state;
	with("WEFT_HELP", "0", &printed);
	assert_string_equal(printed, "");
	with("WEFT_HELP", "1", &printed);
#define WEFT_OPTION(field, kind, name, preset, help)                                               \
	assert_non_null(strstr(printed, name));                                                    \
	assert_non_null(strstr(printed, help));
#include "options.def"
#undef WEFT_OPTION
}

/* ---- log ------------------------------------------------------------------------------------- */

static void set_log(const char *value)
{
	const char *printed;

	with("WEFT_LOG", value, &printed);
}

static void expect_levels(const char *topic, int most)
{
	for (int level = WEFT_LOG_ERROR; level <= WEFT_LOG_DEBUG; level++)
		assert_int_equal(weft_log_enabled((enum weft_log_level)level, topic),
				 level <= most);
}

static void levels(void **state)
{
	(void)state;
	expect_levels("api", -1);
	set_log("error");
	expect_levels("api", WEFT_LOG_ERROR);
	set_log("warn");
	expect_levels("api", WEFT_LOG_WARN);
	set_log("info");
	expect_levels("cache", WEFT_LOG_INFO);
	set_log("debug");
	expect_levels("device", WEFT_LOG_DEBUG);
	set_log("loud");
	expect_levels("api", -1);
}

static void topics(void **state)
{
	(void)state;
	set_log("info,compiler=debug");
	expect_levels("compiler", WEFT_LOG_DEBUG);
	expect_levels("cache", WEFT_LOG_INFO);
	set_log("cache=warn");
	expect_levels("cache", WEFT_LOG_WARN);
	expect_levels("cach", -1);
	expect_levels("cache2", -1);
	set_log("cache=warn,error"); /* the last that fits counts */
	expect_levels("cache", WEFT_LOG_ERROR);
	set_log(",,=,api=,=debug,api=info,");
	expect_levels("api", WEFT_LOG_INFO);
}

static void messages(void **state)
{
	static char text[5000];

	(void)state;
	set_log("info");
	catch_errors();
	weft_log(WEFT_LOG_INFO, "cache", "%d file%s", 3, "s");
	weft_log(WEFT_LOG_DEBUG, "cache", "not this");
	assert_string_equal(caught_errors(), "weft[cache]: 3 files\n");
	memset(text, 'x', sizeof(text) - 1);
	catch_errors();
	weft_log(WEFT_LOG_ERROR, "cache", "%s", text);
	const char *printed = caught_errors();
	assert_true(strlen(printed) > 1000 && strlen(printed) < sizeof(text)); /* cut, one line */
	assert_ptr_equal(strchr(printed, '\n'), printed + strlen(printed) - 1);
}

static void *talk(void *argument)
{
	for (int i = 0; i < 200; i++)
		weft_log(WEFT_LOG_ERROR, "api", "%s", (const char *)argument);
	return NULL;
}

/* Lines of many threads stay whole. */
static void many_talk(void **state)
{
	static char texts[4][101];
	pthread_t threads[4];
	int lines = 0;

	(void)state;
	set_log("error");
	catch_errors();
	for (int i = 0; i < 4; i++) {
		memset(texts[i], 'a' + i, 100);
		pthread_create(&threads[i], NULL, talk, texts[i]);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	const char *printed = caught_errors();
	for (; *printed; lines++) {
		assert_memory_equal(printed, "weft[api]: ", 11);
		printed += 11;
		assert_int_equal(strspn(printed, (char[]){printed[0], '\0'}), 100);
		printed += 100;
		assert_int_equal(*printed++, '\n');
	}
	assert_int_equal(lines, 800);
}

int main(void)
{
#define CLEAN_TEST(function) cmocka_unit_test_setup_teardown(function, clean, clean)
	const struct CMUnitTest tests[] = {
		CLEAN_TEST(defaults),  CLEAN_TEST(sizes),   CLEAN_TEST(numbers),
		CLEAN_TEST(flags),     CLEAN_TEST(strings), CLEAN_TEST(help),
		CLEAN_TEST(levels),    CLEAN_TEST(topics),  CLEAN_TEST(messages),
		CLEAN_TEST(many_talk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
