/* SPDX-License-Identifier: MIT
 *
 * The clGet*Info queries: a table of rows per kind of object, and one function that looks a row up,
 * checks the size and copies the answer. An answer is a field of the object, a list that the object points to, a
 * constant, or what a getter says.
 */
#ifndef WEFT_API_INFO_H
#define WEFT_API_INFO_H

#include "object/object.h"

/* What a getter fills in. `data` is borrowed until the query returns; a getter without lasting data
 * puts it into `scratch`, or into a block from weft_alloc that it also hands over in `owned`. */
struct weft_info_answer {
	const void *data;
	size_t size; /* bytes */
	void *owned; /* freed after the copy; or NULL */
	union {
		cl_uint u32;
		cl_ulong u64;
		size_t size;
		size_t sizes[3];
		void *pointer;
		char bytes[64];
	} scratch;
};

/* CL_SUCCESS, or the query's error code (CL_PROFILING_INFO_NOT_AVAILABLE, CL_OUT_OF_HOST_MEMORY …).
 */
typedef cl_int (*weft_info_getter)(const void *object, struct weft_info_answer *answer);

enum weft_info_kind {
	WEFT_INFO_KIND_FIELD,  /* `size` bytes at `offset` in the object, as they are */
	WEFT_INFO_KIND_STRING, /* a const char * at `offset`, which may be NULL: "" */
	WEFT_INFO_KIND_LIST, /* of elements of `size` bytes, pointed to at `offset`; how many: a cl_uint at `count` */
	WEFT_INFO_KIND_CONSTANT,
	WEFT_INFO_KIND_GETTER,
};

struct weft_info_row {
	cl_uint param; /* CL_… */
	enum weft_info_kind kind;
	size_t offset;
	size_t size;
	size_t count;
	const void *constant;
	weft_info_getter getter;
};

/* The field's type must be the one that the specification names. */
#define WEFT_INFO_FIELD(param_, type_, field_)                                                     \
	{.param = (param_),                                                                        \
	 .kind = WEFT_INFO_KIND_FIELD,                                                             \
	 .offset = offsetof(type_, field_),                                                        \
	 .size = sizeof(((type_ *)NULL)->field_)}
#define WEFT_INFO_STRING(param_, type_, field_)                                                    \
	{.param = (param_), .kind = WEFT_INFO_KIND_STRING, .offset = offsetof(type_, field_)}
/* All elements of a list; count_ is the field with their number. */
#define WEFT_INFO_LIST(param_, type_, field_, count_)                                              \
	{.param = (param_),                                                                        \
	 .kind = WEFT_INFO_KIND_LIST,                                                              \
	 .offset = offsetof(type_, field_),                                                        \
	 .size = sizeof(*((type_ *)NULL)->field_),                                                 \
	 .count = offsetof(type_, count_)}
/* A constant number, of the type that the specification names. */
#define WEFT_INFO_VALUE(param_, type_, value_)                                                     \
	{                                                                                          \
		.param = (param_), .kind = WEFT_INFO_KIND_CONSTANT, .size = sizeof(type_),         \
		.constant = &(const type_)                                                         \
		{                                                                                  \
			(value_)                                                                   \
		}                                                                                  \
	}
/* A constant array, such as a string literal. */
#define WEFT_INFO_ARRAY(param_, array_)                                                            \
	{.param = (param_),                                                                        \
	 .kind = WEFT_INFO_KIND_CONSTANT,                                                          \
	 .size = sizeof(array_),                                                                   \
	 .constant = (array_)}
/* An empty list. */
#define WEFT_INFO_NONE(param_) {.param = (param_), .kind = WEFT_INFO_KIND_CONSTANT}
#define WEFT_INFO_GETTER(param_, getter_)                                                          \
	{.param = (param_), .kind = WEFT_INFO_KIND_GETTER, .getter = (getter_)}

struct weft_info_table {
	const struct weft_info_row *rows;
	size_t num_rows;
	enum weft_object_type type; /* of the handle that weft_info_query_object checks */
};

#define WEFT_INFO_TABLE(rows_) WEFT_INFO_OBJECT_TABLE(rows_, WEFT_OBJECT_DEAD)
#define WEFT_INFO_OBJECT_TABLE(rows_, type_) {(rows_), sizeof(rows_) / sizeof((rows_)[0]), (type_)}

/* Answers `param` about `object` (checked before; what the rows' offsets and getters take). value
 * and size_ret may be NULL. CL_INVALID_VALUE: no such row, or `size` is too small for a value. */
cl_int weft_info_query(const struct weft_info_table *table, const void *object, cl_uint param,
		       size_t size, void *value, size_t *size_ret) WEFT_MUST_CHECK;

/* The whole of a query whose rows are about the object itself: checks the handle first, then as weft_info_query.
 * CL_INVALID_<OBJECT> */
cl_int weft_info_query_object(const struct weft_info_table *table, const void *handle,
			      cl_uint param, size_t size, void *value,
			      size_t *size_ret) WEFT_MUST_CHECK;

bool weft_info_has(const struct weft_info_table *table, cl_uint param);

/* Copies one answer, as weft_info_query does; for queries without a table. */
cl_int weft_info_return(const void *data, size_t data_size, size_t size, void *value,
			size_t *size_ret) WEFT_MUST_CHECK;

/* For getters. */
cl_int weft_info_answer_u32(struct weft_info_answer *answer, cl_uint number);
cl_int weft_info_answer_u64(struct weft_info_answer *answer, cl_ulong number);
cl_int weft_info_answer_size(struct weft_info_answer *answer, size_t number);
cl_int weft_info_answer_pointer(struct weft_info_answer *answer, const void *pointer);
cl_int weft_info_answer_string(struct weft_info_answer *answer, const char *text); /* borrowed */
cl_int weft_info_answer_data(struct weft_info_answer *answer, const void *data, size_t size);
/* The application's count of a struct weft_object: CL_*_REFERENCE_COUNT of every kind. */
cl_int weft_info_get_reference_count(const void *object, struct weft_info_answer *answer);

#endif
