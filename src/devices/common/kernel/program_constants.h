/* SPDX-License-Identifier: MIT
 *
 * Where the constants of loaded programs are, of all devices in this process: an object that one device has made leads another one to
 * the table of its virtual functions there (docs/function_pointers.md).
 */
#ifndef WEFT_DEVICES_PROGRAM_CONSTANTS_H
#define WEFT_DEVICES_PROGRAM_CONSTANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lives in what owns the program. Zeros: not added. */
struct weft_program_constants {
	struct weft_program_constants *next;
	uintptr_t begin;
	size_t size; /* bytes */
};

/* Does nothing for 0 bytes. */
void weft_program_constants_add(struct weft_program_constants *constants, const void *begin,
				size_t size);

/* Before the program goes. Does nothing for what was not added. */
void weft_program_constants_remove(struct weft_program_constants *constants);

/* The constants in which the address is; false: it is in none. They may be read while the program is loaded. */
bool weft_program_constants_find(uintptr_t address, uintptr_t *begin, size_t *size);

#endif
