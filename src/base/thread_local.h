/* SPDX-License-Identifier: MIT
 *
 * Variables of a thread, for what each command touches several times: without the call that a shared library otherwise
 * makes for each. They lie in the little room that the C library keeps for libraries opened late, so they stay small;
 * together not above some 200 bytes.
 */
#ifndef WEFT_BASE_THREAD_LOCAL_H
#define WEFT_BASE_THREAD_LOCAL_H

#define WEFT_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))

#endif
