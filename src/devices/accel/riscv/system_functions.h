/* SPDX-License-Identifier: MIT
 *
 * What code of RISC-V may call of the system's libraries: the functions of this machine's, with arguments from a hart's registers.
 */
#ifndef WEFT_RISCV_SYSTEM_FUNCTIONS_H
#define WEFT_RISCV_SYSTEM_FUNCTIONS_H

#include "riscv/hart.h"

#include <stdbool.h>

/* Opens the library that has the mathematical ones, once. False: it cannot be opened. */
bool riscv_system_open(void);

/* An address that stands for the function in code; 0: there is none of that name. */
uint64_t riscv_system_find(const char *name);

/* Calls the function that has the address. False: there is none. A fault is in the hart's status. */
bool riscv_system_call(struct riscv_hart *hart, const struct riscv_instruction *at,
		       uint64_t address);

/* a * b + c, rounded once. After riscv_system_open. */
float riscv_fma_s(float a, float b, float c);
double riscv_fma_d(double a, double b, double c);

#endif
