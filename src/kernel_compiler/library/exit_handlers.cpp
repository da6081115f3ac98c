/* SPDX-License-Identifier: MIT
 *
 * No destructor of a static object runs when the process ends: a thread of the application may be compiling
 * still, and LLVM's statics must outlive it. This library is never unloaded and the system takes its memory
 * back, so nothing is lost. The definition is the one that all code linked into the library finds.
 */

extern "C" __attribute__((visibility("hidden"))) int __cxa_atexit(void (*)(void *), void *, void *);

extern "C" int __cxa_atexit(void (*)(void *), void *, void *)
{
	return 0;
}
