/* SPDX-License-Identifier: MIT
 *
 * The result of an operation below the API: drivers, the kernel compiler and src/base return it.
 * One function in the runtime (weft_status_to_cl) maps it to an OpenCL error code.
 */
#ifndef WEFT_BASE_STATUS_H
#define WEFT_BASE_STATUS_H

#define WEFT_MUST_CHECK __attribute__((warn_unused_result))

enum weft_status {
	WEFT_OK = 0,
	WEFT_OUT_OF_MEMORY,     /* a host allocation failed */
	WEFT_OUT_OF_RESOURCES,  /* device memory, threads, file descriptors */
	WEFT_INVALID_OPTIONS,   /* build options that do not parse */
	WEFT_BUILD_FAILED,      /* the source, or linking it, is at fault; the log says where */
	WEFT_INVALID_BINARY,    /* no binary of Weft, damaged, or for another machine */
	WEFT_NOT_FOUND,         /* a name or file that is not there */
	WEFT_UNSUPPORTED,       /* what was asked for is not offered */
	WEFT_DEPENDENCY_FAILED, /* a command that this one waits for ended in an error */
	WEFT_CALL_FAILED, /* a kernel has called what is not there, or a host function failed */
	WEFT_CALLS_TOO_DEEP, /* a kernel's functions have called themselves deeper than there is room for */
	WEFT_TERMINATED, /* the context was terminated: nothing of it is run any more */
	WEFT_INTERNAL,   /* a mistake of the library */
};

#endif
