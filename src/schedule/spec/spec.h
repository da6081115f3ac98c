/* SPDX-License-Identifier: MIT
 *
 * What specifications say: kernels, their arguments, and which of them depends on which. docs/schedule.md has the form of the
 * files. All sizes are checked when a specification is read: products of them fit into size_t.
 */
#ifndef WEFT_SCHEDULE_SPEC_H
#define WEFT_SCHEDULE_SPEC_H

#include "spec/element.h"
#include "spec/error.h"

#define WEFT_MOST_DIMENSIONS 3
/* Of work-groups and work-items in all: sums and products of two stay within 64 bits. */
#define WEFT_MOST_WORK_ITEMS ((int64_t)1 << 48)

enum weft_direction { WEFT_INPUT, WEFT_OUTPUT, WEFT_IO };

enum weft_filling { WEFT_FILL_RANDOM, WEFT_FILL_ZEROS, WEFT_FILL_INDEX };

#define WEFT_NO_KERNEL SIZE_MAX
#define WEFT_HALO_UNKNOWN (-1)

struct weft_spec_buffer {
	enum weft_direction direction;
	struct weft_element element;
	size_t count; /* of elements */
	size_t bytes;
	unsigned pos; /* which argument */
	/* "break": groups with neighbouring numbers use neighbouring elements, in proportion. */
	bool is_broken;
	/* How many elements on each side of its own a part of the kernel reads as well; WEFT_HALO_UNKNOWN: maybe all. */
	int64_t halo;
	/* "from": it has the content of another kernel's buffer. */
	char *from_id; /* owned; NULL: of none */
	unsigned from_pos;
	unsigned line;
	size_t from_kernel; /* index, once the graph is linked; WEFT_NO_KERNEL: of none */
	size_t from_buffer; /* index of the buffer in that kernel */
	/* Data. */
	enum weft_filling filling;
	char *file;      /* owned: what it contains at first; NULL: made by `filling` */
	char *save;      /* owned: where the result goes; NULL: nowhere */
	char *reference; /* owned: the right result; NULL: unknown */
	double tolerance; /* of floating-point numbers, relative to the larger of 1 and the right one */
};

struct weft_spec_value {
	unsigned pos;
	size_t size;
	unsigned char bytes[WEFT_ELEMENT_MOST_BYTES];
};

struct weft_spec_local {
	unsigned pos;
	size_t bytes;
};

struct weft_spec_kernel {
	size_t graph; /* number of the file that it was read from, from 0: ids are of one file */
	char *id;     /* owned: no other kernel of the file has it */
	char *label; /* owned: the id; of the second file on with the file's number from 1, such as "2/id" */
	char *name;    /* owned: of the function */
	char *source;  /* owned: path of the program's source */
	char *options; /* owned: of the build */
	char *place;   /* owned: "FILE:LINE" */
	unsigned dimensions;
	size_t global[WEFT_MOST_DIMENSIONS]; /* 1 in dimensions that it has not */
	size_t local[WEFT_MOST_DIMENSIONS];
	bool has_local;                   /* else the size of a work-group is chosen */
	bool is_whole;                    /* "split": false: it is never split */
	bool has_partition;               /* it, or the settings, say the next one */
	int64_t partition;                /* tenths of the work that are for a GPU */
	double eco;                       /* PySchedCL's estimated overhead of computing */
	struct weft_spec_buffer *buffers; /* owned */
	size_t num_buffers;
	struct weft_spec_value *values; /* owned */
	size_t num_values;
	struct weft_spec_local *locals; /* owned */
	size_t num_locals;
	/* The kernels that it waits for: those of "depends", and once the graph is linked those of "from". */
	char **depends_ids; /* owned, of "depends" */
	size_t num_depends_ids;
	size_t *depends; /* owned: indices, ascending, each once */
	size_t num_depends;
};

struct weft_spec {
	struct weft_spec_kernel *kernels; /* owned */
	size_t count;
	size_t num_graphs;
};

struct weft_spec_settings {
	const struct weft_variables *variables; /* borrowed: win over those of the files */
	const char *sources; /* borrowed: a folder where sources are looked for, too; NULL: none */
};

/* Adds the kernels of a file: one object, or an array of them; or of a list of files with the suffix .task. */
bool weft_spec_read(struct weft_spec *spec, const char *path,
		    const struct weft_spec_settings *settings, struct weft_error *error);
/* Resolves ids to kernels, once all files are read. False as well if kernels wait for each other in a circle. */
bool weft_spec_link(struct weft_spec *spec, struct weft_error *error);
/* All kernels of a linked graph, each behind those that it waits for. False: out of memory. */
bool weft_spec_order(const struct weft_spec *spec, size_t *order);
/* "file:line: kernel 'id', argument N", for messages; cut if it is longer. */
#define WEFT_BUFFER_PLACE 512
void weft_spec_place(const struct weft_spec_kernel *kernel, const struct weft_spec_buffer *buffer,
		     char text[WEFT_BUFFER_PLACE]);
void weft_spec_destroy(struct weft_spec *spec);

#endif
