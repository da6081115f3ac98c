/* SPDX-License-Identifier: MIT
 *
 * Random kernels: what every work-item reads is there, what it writes is its own until a barrier, every loop
 * ends, and nothing depends on the order of work-items.
 */
#ifndef WEFT_DIFFER_GROW_H
#define WEFT_DIFFER_GROW_H

#include "random.h"
#include "tree.h"

/* The kernel of a seed. Owned by the caller: kernel_destroy. */
struct kernel *grow_kernel(uint64_t seed);

/* ---- shared by grow*.c ----------------------------------------------------------------------- */

enum leave {
	NOWHERE,
	TOGETHER,
	ANYWHERE
}; /* which work-items may break here: none, all at once, each alone */

/* Types that a kernel mostly computes with: some choices of the compiler depend on what most of a kernel is. */
enum taste {
	ALL_TYPES,
	SMALL_INTEGERS, /* bytes and shorts */
	VECTORS
};

#define MAX_VISIBLE 48

struct grower {
	struct random random;
	struct kernel *kernel;
	int visible[MAX_VISIBLE]; /* variables in scope */
	unsigned num_visible;
	int function;      /* the one that grows; -1: the kernel */
	enum scalar index; /* the type that the kernel counts in */
	int id;            /* variable: linear id in the NDRange, from 0 */
	int local_id;      /* variable: in the group; -1 */
	int local_size;    /* variable: work-items of the group; -1 */
	int counter;       /* variable that conditions increment; -1 */
	enum taste taste;
	struct type palette[5];
	bool uniform;     /* expressions must be */
	bool divergent;   /* not every work-item may be here */
	bool grouped;     /* barriers are allowed here */
	bool barriers;    /* the kernel has them */
	bool filled;      /* local and private memory has been written */
	bool counted;     /* this statement increments the counter already */
	bool no_offset;   /* it is not enqueued with a global offset */
	enum leave leave; /* a loop or a switch */
	enum leave skip;  /* continue */
	bool may_return;
	bool readable[MAX_OBJECTS]; /* local memory between barriers */
	int label;                  /* of the LABELLED around; -1 */
	int labels;                 /* used */
	int trips;                  /* of the loops around, multiplied */
	int budget;                 /* statements */
	int guards[MAX_OBJECTS];    /* id + guards[j] is known to be an element; -1 */
};

void *grow_node(struct kernel *kernel, size_t size);
struct expr *new_expr(struct grower *g, enum expr_kind kind, struct type type);
struct expr *new_constant(struct grower *g, struct type type, uint64_t bits);
struct expr *new_variable_expr(struct grower *g, int variable);
struct expr *new_binary(struct grower *g, enum operator op, struct expr *a, struct expr *b);
/* Not minimised, nothing overflows. */
struct expr *new_plain(struct grower *g, enum operator op, struct expr *a, struct expr *b);
struct expr *new_compare(struct grower *g, enum operator op, struct expr *a, struct expr *b);
struct expr *new_convert(struct grower *g, struct type type, struct expr *a);
struct expr *new_argument(struct grower *g, int index, enum scalar scalar);
struct expr *new_query(struct grower *g, enum query query, int dimension, enum scalar scalar);
int new_variable(struct grower *g, struct type type, bool uniform, bool constant);
void show_variable(struct grower *g, int variable);

struct type random_type(struct grower *g);
struct type random_scalar_type(struct grower *g);

/* An expression of at most that depth. */
struct expr *grow_expr(struct grower *g, struct type type, int depth);
struct expr *grow_condition(struct grower *g, int depth);
/* A comparison of the local id in one dimension with what is the same for all work-items. */
struct expr *grow_id_test(struct grower *g);
struct expr *grow_uniform(struct grower *g, struct type type, int depth);
/* The variables of at most `count` visible ones that satisfy the test; -1 if there is none. */
int pick_variable(struct grower *g, struct type type, bool assignable);

/* Memory. NULL, -1: there is no such object. */
void grow_objects(struct grower *g);
struct expr *grow_load(struct grower *g, struct type type, int depth);
struct expr *grow_vload(struct grower *g, struct type type, int depth);
/* An element that belongs to the work-item. */
struct expr *own_place(struct grower *g, int object, int depth);
/* Any element of an object of a fixed or known size. */
struct expr *any_place(struct grower *g, int object, int depth);
/* Elements of an object, as that type. */
struct expr *count_of(struct grower *g, int object, enum scalar scalar);
struct expr *load_at(struct grower *g, int object, int field, struct expr *place);
/* x * by and x + by, which do not overflow. */
struct expr *scaled(struct grower *g, struct expr *x, int by);
struct expr *offset_by(struct grower *g, struct expr *x, int by);
/* The expression, which the minimiser then leaves alone. */
struct expr *fixed(struct expr *expr);
/* Of an object that all work-items may read: of a neighbour as a rule, or the sum of some. */
struct expr *near_load(struct grower *g, int object, int field, int depth);
int pick_object(struct grower *g, bool (*test)(const struct grower *, int));
#define SHORTEST_ROW 6
/* An input with a row of elements for each work-item, and the element of its row that a variable says. */
bool has_rows(const struct grower *g, int object);
struct expr *load_of_row(struct grower *g, int object, int at);
/* id + distance is an element of the guarded input. */
struct expr *guard_of(struct grower *g, int object, int distance);
bool is_guarded(const struct grower *g, int object);

/* Statements. */
void grow_block(struct grower *g, struct block *block, int statements, int depth);
struct statement *add_statement(struct grower *g, struct block *block, enum statement_kind kind);
void grow_functions(struct grower *g);
void grow_geometries(struct grower *g);
void grow_prologue(struct grower *g, struct block *block);

#endif
