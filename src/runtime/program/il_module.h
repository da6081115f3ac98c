/* SPDX-License-Identifier: MIT
 *
 * A SPIR-V module as the runtime knows it: the application's bytes, and the specialisation constants that can be set. The
 * rest of what it says is the compiler's business, when it is built.
 */
#ifndef WEFT_RUNTIME_IL_MODULE_H
#define WEFT_RUNTIME_IL_MODULE_H

#include "compiler.h"

/* A specialisation constant of the module. */
struct weft_il_constant {
	struct weft_spec_constant value; /* `bits` are given only if is_set */
	bool is_set;
};

struct weft_il_module {
	void *bytes; /* owned: as the application gave them */
	size_t size;
	struct weft_il_constant *constants; /* owned; sorted by id, each id once */
	size_t num_constants;
};

/* Copies the module, and finds its constants. WEFT_INVALID_BINARY: the bytes are no SPIR-V of a version that can be built
 * here, or are no whole instructions; WEFT_OUT_OF_MEMORY. The module is the caller's to destroy whatever this returns. */
enum weft_status weft_il_module_read(const void *bytes, size_t size,
				     struct weft_il_module *module) WEFT_MUST_CHECK;

/* Zeros are fine. */
void weft_il_module_destroy(struct weft_il_module *module);

/* The constant with that id, or NULL. */
struct weft_il_constant *weft_il_module_find(const struct weft_il_module *module, uint32_t id);

#endif
