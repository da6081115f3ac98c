/* SPDX-License-Identifier: MIT
 *
 * The OpenCL drivers that a loader of this machine finds: .icd files, each of which names a library.
 */
#ifndef WEFT_TOOLS_VENDORS_H
#define WEFT_TOOLS_VENDORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define WEFT_VENDORS_FOLDER "/etc/OpenCL/vendors"

struct weft_vendor {
	char *icd; /* owned: path of the .icd file; NULL: the library was named without one */
	char *library; /* owned: what the dynamic linker is asked for; "": the file has no line, or cannot be read */
	int error; /* errno of reading the file; 0: it could be read */
};

struct weft_vendors {
	struct weft_vendor *items; /* owned */
	size_t count;
	size_t room;
	bool failed; /* out of memory: some are missing */
};

/* Where loaders look: OCL_ICD_VENDORS, OPENCL_VENDOR_PATH, or the folder of the machine. Borrowed. */
const char *weft_vendors_place(void);

/* Adds what the place has: a folder of .icd files, in the order of their names, a file or a library. A name without a folder means
 * what it means to ocl-icd. errno when a folder cannot be read, else 0. */
int weft_vendors_read(struct weft_vendors *vendors, const char *place);

/* Adds the libraries of OCL_ICD_FILENAMES, a list with colons, which is Khronos' loader's. */
void weft_vendors_read_list(struct weft_vendors *vendors, const char *list);

/* Opens a file of others for reading. Nothing that would block, or act, is opened: a pipe, a device. NULL: errno says why. */
FILE *weft_open_file(const char *path);

/* Whether it is Weft, by the name of its library; white space behind it, with which no loader finds it, does not count. */
bool weft_vendor_is_weft(const struct weft_vendor *vendor);

void weft_vendors_destroy(struct weft_vendors *vendors);

#endif
