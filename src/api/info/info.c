/* SPDX-License-Identifier: MIT
 *
 * Looks up a row of an info table and copies its answer. Invariant: nothing is written unless the
 * whole query succeeds.
 */
#include "info/info.h"

#include "alloc.h"
#include "check.h"

#include <string.h>

cl_int weft_info_return(const void *data, size_t data_size, size_t size, void *value,
			size_t *size_ret)
{
	if (value && size < data_size)
		return CL_INVALID_VALUE;
	if (value && data_size)
		memcpy(value, data, data_size);
	if (size_ret)
		*size_ret = data_size;
	return CL_SUCCESS;
}

static cl_int answer_list(const struct weft_info_row *row, const char *object,
			  struct weft_info_answer *answer)
{
	const void *list;
	cl_uint count;

	memcpy(&list, object + row->offset, sizeof(list));
	memcpy(&count, object + row->count, sizeof(count));
	return weft_info_answer_data(answer, list, count * row->size);
}

static cl_int answer_row(const struct weft_info_row *row, const void *object,
			 struct weft_info_answer *answer)
{
	const char *field = (const char *)object + row->offset;

	switch (row->kind) {
	case WEFT_INFO_KIND_FIELD:
		return weft_info_answer_data(answer, field, row->size);
	case WEFT_INFO_KIND_STRING:
		return weft_info_answer_string(answer, *(const char *const *)(const void *)field);
	case WEFT_INFO_KIND_LIST:
		return answer_list(row, object, answer);
	case WEFT_INFO_KIND_CONSTANT:
		return weft_info_answer_data(answer, row->constant, row->size);
	case WEFT_INFO_KIND_GETTER:
		return row->getter(object, answer);
	}
	return CL_INVALID_VALUE;
}

static const struct weft_info_row *find_row(const struct weft_info_table *table, cl_uint param)
{
	for (size_t i = 0; i < table->num_rows; i++) {
		if (table->rows[i].param == param)
			return &table->rows[i];
	}
	return NULL;
}

bool weft_info_has(const struct weft_info_table *table, cl_uint param)
{
	return find_row(table, param) != NULL;
}

cl_int weft_info_query(const struct weft_info_table *table, const void *object, cl_uint param,
		       size_t size, void *value, size_t *size_ret)
{
	struct weft_info_answer answer = {0};
	const struct weft_info_row *row = find_row(table, param);

	if (!row)
		return CL_INVALID_VALUE;
	cl_int err = answer_row(row, object, &answer);
	if (err == CL_SUCCESS)
		err = weft_info_return(answer.data, answer.size, size, value, size_ret);
	weft_free(answer.owned);
	return err;
}

cl_int weft_info_query_object(const struct weft_info_table *table, const void *handle,
			      cl_uint param, size_t size, void *value, size_t *size_ret)
{
	cl_int err = weft_check_object(handle, table->type);

	return err == CL_SUCCESS ? weft_info_query(table, handle, param, size, value, size_ret)
				 : err;
}

cl_int weft_info_answer_data(struct weft_info_answer *answer, const void *data, size_t size)
{
	answer->data = data;
	answer->size = size;
	return CL_SUCCESS;
}

cl_int weft_info_answer_u32(struct weft_info_answer *answer, cl_uint number)
{
	answer->scratch.u32 = number;
	return weft_info_answer_data(answer, &answer->scratch, sizeof(number));
}

cl_int weft_info_answer_u64(struct weft_info_answer *answer, cl_ulong number)
{
	answer->scratch.u64 = number;
	return weft_info_answer_data(answer, &answer->scratch, sizeof(number));
}

cl_int weft_info_answer_size(struct weft_info_answer *answer, size_t number)
{
	answer->scratch.size = number;
	return weft_info_answer_data(answer, &answer->scratch, sizeof(number));
}

cl_int weft_info_answer_pointer(struct weft_info_answer *answer, const void *pointer)
{
	answer->scratch.pointer = (void *)(uintptr_t)pointer;
	return weft_info_answer_data(answer, &answer->scratch, sizeof(pointer));
}

cl_int weft_info_answer_string(struct weft_info_answer *answer, const char *text)
{
	if (!text)
		text = "";
	return weft_info_answer_data(answer, text, strlen(text) + 1);
}

cl_int weft_info_get_reference_count(const void *object, struct weft_info_answer *answer)
{
	const struct weft_object *base = object;

	return weft_info_answer_u32(answer, weft_refcount_read(&base->api));
}
