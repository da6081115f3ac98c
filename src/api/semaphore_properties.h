/* SPDX-License-Identifier: MIT
 *
 * The list of properties that a semaphore is made with; and which external handles there are.
 */
#ifndef WEFT_API_SEMAPHORE_PROPERTIES_H
#define WEFT_API_SEMAPHORE_PROPERTIES_H

#include "semaphore/semaphore.h"

/* Handles that semaphores are made from, and those that they give: for queries. */
#define WEFT_SEMAPHORE_HANDLE_TYPES                                                                \
	((const cl_external_semaphore_handle_type_khr[]){CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,        \
							 CL_SEMAPHORE_HANDLE_SYNC_FD_KHR})
#define WEFT_SEMAPHORE_TYPES ((const cl_semaphore_type_khr[]){CL_SEMAPHORE_TYPE_BINARY_KHR})

/* Fills in all of *desc; the context has been checked. The errors of clCreateSemaphoreWithPropertiesKHR. */
cl_int weft_semaphore_read_properties(cl_context context,
				      const cl_semaphore_properties_khr *properties,
				      struct weft_semaphore_desc *desc) WEFT_MUST_CHECK;

#endif
