/* SPDX-License-Identifier: MIT
 *
 * Contents of buffers from files and to files: NumPy's format (.npy), or the bytes as they are.
 */
#ifndef WEFT_SCHEDULE_NPY_H
#define WEFT_SCHEDULE_NPY_H

#include "spec/spec.h"

/* Reads the file, which must have as many bytes of data as the buffer; an .npy file also numbers of the same kind, in C's
 * order. `what` is the buffer, for the message. */
bool weft_data_read(const char *path, const char *what, const struct weft_spec_buffer *buffer,
		    void *data, struct weft_error *error);
/* As an .npy file if the path has that suffix. */
bool weft_data_write(const char *path, const char *what, const struct weft_spec_buffer *buffer,
		     const void *data, struct weft_error *error);

#endif
