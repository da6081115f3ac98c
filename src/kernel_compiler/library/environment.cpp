/* SPDX-License-Identifier: MIT
 *
 * LLVM and lld read environment variables: LLD_REPRODUCE names a file to write, LLVM_OVERRIDE_PRODUCER changes bitcode. What
 * the compiler makes follows from what it is given, and it may run in a program with more rights than its user has. So in
 * this library no variable is set; Weft's own options are read by secure_getenv.
 */
#include <cstdlib>

extern "C" char *__wrap_getenv(const char *)
{
	return nullptr;
}
