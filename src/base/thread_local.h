/* SPDX-License-Identifier: MIT
 *
 * Thread-local variables that each command reads several times, without the call that a shared library otherwise needs
 * for each access. They lie in the small room that the C library keeps for libraries opened later, so together they
 * must stay below some 200 bytes.
 */
#ifndef WEFT_BASE_THREAD_LOCAL_H
#define WEFT_BASE_THREAD_LOCAL_H

#define WEFT_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))

#endif
