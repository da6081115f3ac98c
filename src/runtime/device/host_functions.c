/* SPDX-License-Identifier: MIT
 *
 * A list under a lock: a thread looks a function up once for a range of work-groups.
 */
#include "device/host_functions.h"

#include "alloc.h"

#include <stdio.h>
#include <string.h>

struct host_function {
	struct weft_list link;
	struct weft_host_function_desc desc; /* its name and sizes lie behind it */
	uint64_t key;
	struct weft_host_function called;
	uint32_t sizes[];
};

static struct host_function *function_of(struct weft_list *link)
{
	return WEFT_CONTAINER_OF(link, struct host_function, link);
}

static struct weft_host_functions *owner_of(struct weft_launch_context *launches)
{
	return WEFT_CONTAINER_OF(launches, struct weft_host_functions, launches);
}

static bool find(struct weft_launch_context *launches, uint64_t key,
		 struct weft_host_function *found)
{
	struct weft_host_functions *functions = owner_of(launches);
	bool is_there = false;

	weft_mutex_lock(&functions->lock);
	for (struct weft_list *link = functions->list.next; link != &functions->list && !is_there;
	     link = link->next) {
		is_there = function_of(link)->key == key;
		if (is_there)
			*found = function_of(link)->called;
	}
	weft_mutex_unlock(&functions->lock);
	return is_there;
}

static void failed(struct weft_launch_context *launches, int32_t error)
{
	struct weft_host_functions *functions = owner_of(launches);
	char message[96];

	snprintf(message, sizeof(message), "a host function that a kernel called failed: %d",
		 (int)error);
	functions->report(functions, message);
}

void weft_host_functions_init(struct weft_host_functions *functions,
			      void (*report)(struct weft_host_functions *functions,
					     const char *message))
	WEFT_TSA(no_thread_safety_analysis)
{
	functions->launches =
		(struct weft_launch_context){.find_function = find, .function_failed = failed};
	functions->report = report;
	weft_mutex_init(&functions->lock, WEFT_RANK_CONTEXT);
	weft_list_init(&functions->list);
}

void weft_host_functions_destroy(struct weft_host_functions *functions)
	WEFT_TSA(no_thread_safety_analysis)
{
	struct weft_list *link;

	while ((link = weft_list_pop(&functions->list)))
		weft_free(function_of(link));
	weft_mutex_destroy(&functions->lock);
}

static struct host_function *create(const cl_host_function_desc_weft *desc)
{
	const size_t length = strlen(desc->name) + 1;
	const size_t sizes = desc->num_args * sizeof(uint32_t);
	struct host_function *function = weft_zalloc(sizeof(*function) + sizes + length);

	if (!function)
		return NULL;
	char *name = (char *)(function->sizes + desc->num_args);
	memcpy(name, desc->name, length);
	for (cl_uint i = 0; i < desc->num_args; i++)
		function->sizes[i] = (uint32_t)desc->arg_sizes[i];
	function->desc = (struct weft_host_function_desc){
		.name = name,
		.arg_sizes = function->sizes,
		.num_args = desc->num_args,
		.result_size = (uint32_t)desc->result_size,
	};
	function->key = weft_host_function_key(&function->desc);
	function->called = (struct weft_host_function){desc->function, desc->user_data};
	return function;
}

static struct host_function *find_name(struct weft_host_functions *functions, const char *name)
	WEFT_REQUIRES(&functions->lock)
{
	for (struct weft_list *link = functions->list.next; link != &functions->list;
	     link = link->next) {
		if (strcmp(function_of(link)->desc.name, name) == 0)
			return function_of(link);
	}
	return NULL;
}

cl_int weft_host_functions_set(struct weft_host_functions *functions,
			       const cl_host_function_desc_weft *desc)
{
	struct host_function *function = NULL;

	if (desc->function) {
		function = create(desc);
		if (!function)
			return CL_OUT_OF_HOST_MEMORY;
	}
	weft_mutex_lock(&functions->lock);
	struct host_function *before = find_name(functions, desc->name);
	if (before)
		weft_list_remove(&before->link);
	if (function)
		weft_list_append(&functions->list, &function->link);
	weft_mutex_unlock(&functions->lock);
	weft_free(before);
	return CL_SUCCESS;
}

const struct weft_host_function_desc *
weft_host_functions_missing(struct weft_host_functions *functions,
			    const struct weft_kernel_desc *kernel, bool *other_sizes)
{
	const struct weft_host_function_desc *missing = NULL;

	weft_mutex_lock(&functions->lock);
	for (uint64_t i = 0; i < kernel->num_host_functions && !missing; i++) {
		const struct weft_host_function_desc *asked = &kernel->host_functions[i];
		const struct host_function *function = find_name(functions, asked->name);

		if (!function || function->key != weft_host_function_key(asked)) {
			missing = asked;
			*other_sizes = function != NULL;
		}
	}
	weft_mutex_unlock(&functions->lock);
	return missing;
}
