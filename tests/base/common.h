/* SPDX-License-Identifier: MIT
 *
 * CMocka and what it needs, for the tests of src/base.
 */
#ifndef WEFT_TESTS_BASE_COMMON_H
#define WEFT_TESTS_BASE_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
