/* SPDX-License-Identifier: MIT
 *
 * The binary of a program that an application gets: all code in it is full, whichever code the program runs.
 */
#ifndef WEFT_RUNTIME_FULL_BINARY_H
#define WEFT_RUNTIME_FULL_BINARY_H

#include "program/program.h"
#include "status.h"

/* A device's binary, retained, or NULL where there is none. Waits for code that is not there yet, and makes full code of programs whose
 * code is quick. */
enum weft_status weft_full_binary(cl_program program, cl_uint device,
				  struct weft_program_binary **binary) WEFT_MUST_CHECK;

#endif
