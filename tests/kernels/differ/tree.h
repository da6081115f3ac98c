/* SPDX-License-Identifier: MIT
 *
 * A random kernel as a tree: types, variables, memory, expressions, statements. grow.c makes it, print.c
 * writes it as OpenCL C, interpret.c evaluates it, minimise.c makes it smaller.
 */
#ifndef WEFT_DIFFER_TREE_H
#define WEFT_DIFFER_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum scalar { I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, NUM_SCALARS };

struct type {
	enum scalar scalar;
	unsigned lanes; /* 1, 2, 3, 4, 8 */
};

/* Integers are kept extended to 64 bits as their type says. */
union lane {
	uint64_t u;
	int64_t i;
	double d;
	float f;
};

struct value {
	union lane lane[8];
};

struct variable {
	struct type type;
	bool uniform;   /* the same for every work-item of a group, wherever it is read */
	bool constant;  /* a loop's counter or an id: nothing assigns it */
	unsigned place; /* of its lanes in a work-item's frame */
};

enum object_kind {
	INPUT,        /* global const */
	OWN,          /* global; each work-item reads and writes its own slots */
	ATOMIC,       /* global; one atomic operation */
	TABLE,        /* program-scope constant */
	LOCAL_OWN,    /* local; own slots, and between barriers read only for all */
	LOCAL_ATOMIC, /* local; one atomic operation, read between barriers */
	PRIVATE,
};

/* Which elements belong to a work-item: of `slots` each. */
enum slot_kind { UNIT, REVERSED, STRIDED, BLOCKED, PERMUTED };

#define MAX_FIELDS 4

struct object {
	enum object_kind kind;
	unsigned num_fields; /* more than one: a struct */
	struct type fields[MAX_FIELDS];
	size_t offsets[MAX_FIELDS]; /* bytes */
	size_t stride;              /* bytes per element */
	/* Elements: mul times the work-items (of the NDRange, of the group if local) plus add, which
	 * may be negative. */
	int mul;
	int add;
	enum slot_kind slot;
	int slots;
	int permutation; /* the INPUT that has it, for PERMUTED */
	/* An INPUT of indices: of elements of this object. -1: of plain data; -2: a permutation of the
	 * work-items; -3: of plain data, and there may be fewer elements than work-items. */
	int target;
	int atomic;    /* enum atomic */
	bool argument; /* local memory given as an argument */
	bool dropped;  /* by the minimiser, like functions and statements */
	int place;     /* PRIVATE: bytes from the start of a frame's arrays */
};

enum atomic { ATOMIC_ADD, ATOMIC_MAX, ATOMIC_MIN, ATOMIC_OR, ATOMIC_AND, ATOMIC_XOR, ATOMIC_INC };

enum expr_kind {
	CONSTANT,
	VARIABLE, /* index */
	ARGUMENT, /* index: scalar argument; see struct kernel */
	QUERY,    /* op: enum query, index: dimension; converted to the type */
	UNARY,    /* op: '-', '~', '!' */
	BINARY,   /* op: enum operator */
	COMPARE,  /* op: enum operator */
	LOGIC,    /* op: AND, OR */
	CHOOSE,   /* ?: with a scalar condition */
	CONVERT,
	SATURATE, /* convert_…_sat */
	AS,       /* as_…, between integers of a size, or to float with an exponent bit cleared */
	BITS,     /* bits of a float, 0 of a NaN */
	BUILTIN,  /* op: enum builtin */
	CALL,     /* index: function */
	LANE,     /* index: which */
	MAKE,     /* a vector from scalars */
	SWIZZLE,  /* pattern */
	LOAD,     /* index: object, field; args[0] the element */
	VLOAD,    /* index: object; args[0] the element that the vector begins with */
	POSTINC,  /* index: variable */
	SHUFFLED, /* a scalar, shuffled forth and back among the lanes that run; index: how far, or MOST_SHUFFLED for `n` */
};

#define MOST_SHUFFLED 32

enum operator{ ADD, SUB, MUL, DIV, REM, AND, OR, XOR, SHL, SHR, LT, LE, GT, GE, EQ, NE };

enum query {
	GLOBAL_ID,
	LOCAL_ID,
	GROUP_ID,
	GLOBAL_SIZE,
	LOCAL_SIZE,
	ENQUEUED_SIZE,
	NUM_GROUPS,
	GLOBAL_OFFSET,
	LOCAL_LINEAR,
	GLOBAL_LINEAR,
};

#define BUILTINS(X)                                                                                \
	X(MUL_HI, "mul_hi", 2, 'i')                                                                \
	X(ROTATE, "rotate", 2, 'i')                                                                \
	X(POPCOUNT, "popcount", 1, 'i')                                                            \
	X(CLZ, "clz", 1, 'i')                                                                      \
	X(CTZ, "ctz", 1, 'i')                                                                      \
	X(ADD_SAT, "add_sat", 2, 'i')                                                              \
	X(SUB_SAT, "sub_sat", 2, 'i')                                                              \
	X(HADD, "hadd", 2, 'i')                                                                    \
	X(RHADD, "rhadd", 2, 'i')                                                                  \
	X(MAX, "max", 2, 'i')                                                                      \
	X(MIN, "min", 2, 'i')                                                                      \
	X(MAD_HI, "mad_hi", 3, 'i')                                                                \
	X(BITSELECT, "bitselect", 3, 'i')                                                          \
	X(ABS, "abs", 1, 'u')                                                                      \
	X(ABS_DIFF, "abs_diff", 2, 'u')                                                            \
	X(SELECT, "select", 3, 's')                                                                \
	X(ANY, "any", 1, 'a')                                                                      \
	X(ALL, "all", 1, 'a')                                                                      \
	X(FMA, "fma", 3, 'f')                                                                      \
	X(SQRT, "sqrt", 1, 'f')                                                                    \
	X(FABS, "fabs", 1, 'f')                                                                    \
	X(FLOOR, "floor", 1, 'f')                                                                  \
	X(CEIL, "ceil", 1, 'f')                                                                    \
	X(TRUNC, "trunc", 1, 'f')                                                                  \
	X(RINT, "rint", 1, 'f')                                                                    \
	X(FMIN, "fmin", 2, 'f')                                                                    \
	X(FMAX, "fmax", 2, 'f')

/* 'i': integers of the result's type; 'u': the result is the unsigned type of the arguments; 's': select,
 * whose last argument is a signed integer of the size; 'a': an int of a signed integer; 'f': floats. */
enum builtin {
#define BUILTIN_NAME(name, text, arity, kind) BUILTIN_##name,
	BUILTINS(BUILTIN_NAME)
#undef BUILTIN_NAME
		NUM_BUILTINS
};

struct builtin_info {
	const char *name;
	unsigned arity;
	char kind;
};
extern const struct builtin_info builtin_infos[NUM_BUILTINS];

struct expr {
	enum expr_kind kind;
	struct type type;
	int op;
	int index;
	int field;
	bool plain; /* signed arithmetic that does not overflow, written as it is */
	bool fixed; /* an index, a guard, a trip count: the minimiser leaves it alone */
	unsigned num_args;
	struct expr *args[8];
	struct value constant;
	uint8_t pattern[8];
};

enum statement_kind {
	DECLARE,     /* index: variable; value */
	ASSIGN,      /* index: variable; value */
	ASSIGN_LANE, /* index: variable; lane; value */
	STORE,       /* index: object, field; place; value */
	VSTORE,      /* index: object; place; value */
	UPDATE,      /* atomic. index: object; place; value */
	IF,          /* value; blocks[0], blocks[1] */
	SWITCH,      /* value; blocks: cases 0…, the last the default; falls: bits */
	FOR,         /* index: variable; value: bound; step; blocks[0] */
	WHILE,       /* index: variable, counts down from step; value; blocks[0] */
	DO,          /* the same, tested at the end */
	BREAK,
	CONTINUE,
	RETURN,   /* value, in a function */
	LABELLED, /* blocks[0], a label behind it; index: label */
	GOTO,     /* index: label, of a LABELLED around it */
	GRAPH, /* blocks with jumps between them; index: label, step: fuel, conditions, targets */
	BARRIER,
	COLLECTIVE, /* index: variable; field: enum collective; value; conditions: whose, in each dimension */
	BLOCK, /* blocks[0] */
};

/* What the work-items of a group compute together. The first three are reductions, the next three inclusive scans,
 * then exclusive ones, of each: add, min, max. */
enum collective {
	GROUP_REDUCE,
	GROUP_INCLUSIVE = 3,
	GROUP_EXCLUSIVE = 6,
	GROUP_BROADCAST = 9,
	GROUP_ANY,
	GROUP_ALL,
	NUM_COLLECTIVES
};

#define MAX_BLOCKS 6

struct block {
	struct statement *first;
	struct statement **last;
};

struct statement {
	enum statement_kind kind;
	struct statement *next;
	int index;
	int field;
	int step;
	unsigned falls;
	bool has_barrier; /* it or a part */
	bool dropped;     /* by the minimiser */
	bool fixed;       /* the minimiser leaves it alone */
	struct expr *place;
	struct expr *value;
	unsigned num_blocks;
	struct block blocks[MAX_BLOCKS];
	struct expr *conditions[MAX_BLOCKS];
	int targets[MAX_BLOCKS][2];
};

#define MAX_VARIABLES 400
#define MAX_OBJECTS 24
#define MAX_FUNCTIONS 3
#define MAX_PARAMETERS 3
#define MAX_SCALARS 6

struct function {
	struct type type;
	unsigned num_parameters;
	int parameters[MAX_PARAMETERS]; /* variables */
	bool noinline;
	bool dropped;
	struct block body; /* ends with a RETURN */
};

struct geometry {
	unsigned dims;
	size_t global[3];
	size_t local[3];
	size_t offset[3];
};

#define MAX_GEOMETRIES 3

/* Its arguments: the buffers and local arguments in the order of their objects, `int n` (work-items of the
 * NDRange), then for each buffer `int` (its elements), then the scalars. */
struct kernel {
	uint64_t seed;
	unsigned num_variables;
	struct variable variables[MAX_VARIABLES];
	unsigned frame_lanes;
	unsigned frame_bytes; /* of private arrays */
	unsigned num_objects;
	struct object objects[MAX_OBJECTS];
	unsigned num_functions;
	struct function functions[MAX_FUNCTIONS];
	unsigned num_scalars;
	struct type scalars[MAX_SCALARS];
	struct value scalar_values[MAX_SCALARS];
	struct block body;
	unsigned num_geometries;
	struct geometry geometries[MAX_GEOMETRIES];
	bool required_size; /* reqd_work_group_size: the only geometry's */
	bool has_subgroups; /* asks for their size, which changes nothing but how waves are made */
	size_t most_local;  /* work-items of the largest group */
	void **allocations; /* of nodes; freed with the kernel */
	size_t num_allocations;
};

/* An ARGUMENT's index. */
enum {
	ARGUMENT_N = -1
}; /* `int n`; 0 … MAX_OBJECTS - 1: elements of a buffer; from MAX_OBJECTS: scalars */

static inline bool is_float(struct type type)
{
	return type.scalar >= F32;
}

static inline bool is_signed(struct type type)
{
	return type.scalar < F32 && type.scalar % 2 == 0;
}

static inline struct type make_type(enum scalar scalar, unsigned lanes)
{
	return (struct type){scalar, lanes};
}

static inline bool same_type(struct type a, struct type b)
{
	return a.scalar == b.scalar && a.lanes == b.lanes;
}

static inline bool is_buffer(const struct object *object)
{
	return object->kind <= ATOMIC;
}

static inline bool is_local(const struct object *object)
{
	return object->kind == LOCAL_OWN || object->kind == LOCAL_ATOMIC;
}

static inline size_t scalar_size(enum scalar scalar)
{
	static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

	return sizes[scalar];
}

/* In memory: a vector of 3 takes the room of 4. */
static inline size_t type_size(struct type type)
{
	return scalar_size(type.scalar) * (type.lanes == 3 ? 4 : type.lanes);
}

static inline struct type signed_of(struct type type)
{
	static const enum scalar to[] = {I8, I8, I16, I16, I32, I32, I64, I64, I32, I64};

	return make_type(to[type.scalar], type.lanes);
}

static inline struct type unsigned_of(struct type type)
{
	return make_type((enum scalar)(signed_of(type).scalar + 1), type.lanes);
}

/* Elements of an object, for `items` work-items. */
static inline size_t object_count(const struct object *object, size_t items)
{
	int64_t count = (int64_t)items * object->mul + object->add;

	return count < 0 ? 0 : (size_t)count;
}

void kernel_destroy(struct kernel *kernel);

#endif
