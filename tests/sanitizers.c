/* SPDX-License-Identifier: MIT
 *
 * What the sanitizers are told: allocations may fail, and a forked child may start threads.
 */
#define EXPORT __attribute__((visibility("default")))

EXPORT const char *__asan_default_options(void);
EXPORT const char *__tsan_default_options(void);

const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void)
{
	return "allocator_may_return_null=1:die_after_fork=0";
}
