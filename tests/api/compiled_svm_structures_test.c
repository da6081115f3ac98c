/* SPDX-License-Identifier: MIT
 *
 * A list, a hash map and a tree of the C library's memory, which kernels and the host read and change at the same time by
 * atomic operations. What is in them in the end is what a serial run puts there.
 */
#include "compiled_fixture.h"

#define ITEMS 4096
#define KEYS 97
#define BUCKETS 16 /* also in the source */
#define ROUNDS 8

static const char *const source =
	"#define SCOPE memory_scope_all_svm_devices\n"
	"typedef struct { ulong next; uint key; atomic_uint count; } node;\n"
	"#define NODE(p) ((global node *)(p))\n"
	"kernel void push(global ulong *head_, global node *pool, global const uint *keys) {\n"
	"  global atomic_ulong *head = (global atomic_ulong *)head_;\n"
	"  global node *own = pool + get_global_id(0);\n"
	"  ulong first = atomic_load_explicit(head, memory_order_acquire, SCOPE);\n"
	"  own->key = keys[get_global_id(0)];\n"
	"  do own->next = first;\n"
	"  while (!atomic_compare_exchange_strong_explicit(head, &first, (ulong)own,\n"
	"           memory_order_acq_rel, memory_order_acquire, SCOPE));\n"
	"}\n"
	"kernel void count(global ulong *buckets, global node *pool, global const uint *keys) {\n"
	"  uint key = keys[get_global_id(0)];\n"
	"  global atomic_ulong *head = (global atomic_ulong *)buckets + key % 16;\n"
	"  global node *own = pool + get_global_id(0);\n"
	"  ulong first = atomic_load_explicit(head, memory_order_acquire, SCOPE);\n"
	"  own->key = key;\n"
	"  atomic_store_explicit(&own->count, 1, memory_order_relaxed, SCOPE);\n"
	"  for (;;) {\n"
	"    for (ulong p = first; p; p = NODE(p)->next)\n"
	"      if (NODE(p)->key == key) {\n"
	"        atomic_fetch_add_explicit(&NODE(p)->count, 1, memory_order_relaxed, SCOPE);\n"
	"        return;\n"
	"      }\n"
	"    own->next = first;\n"
	"    if (atomic_compare_exchange_strong_explicit(head, &first, (ulong)own,\n"
	"          memory_order_acq_rel, memory_order_acquire, SCOPE)) return;\n"
	"  }\n"
	"}\n"
	"typedef struct { ulong less, more; uint key; atomic_uint count; } branch;\n"
	"kernel void look_up(global ulong *root, global ulong *unused, global const uint *keys) {\n"
	"  uint key = keys[get_global_id(0)];\n"
	"  for (ulong p = *root; p;) {\n"
	"    global branch *b = (global branch *)p;\n"
	"    if (b->key == key) {\n"
	"      atomic_fetch_add_explicit(&b->count, 1, memory_order_relaxed, SCOPE);\n"
	"      return;\n"
	"    }\n"
	"    p = key < b->key ? b->less : b->more;\n"
	"  }\n"
	"}\n";

struct node {
	cl_ulong next;
	cl_uint key;
	cl_uint count;
};

struct branch {
	cl_ulong less, more;
	cl_uint key;
	cl_uint count;
};

static cl_program program;
static cl_uint keys[2][ITEMS]; /* of the kernel, and of the host */
static cl_uint expected[KEYS];

static int set_up(void **state)
{
	unsigned seed = 1;

	compiled_set_up(state);
	struct fixture *f = *state;
	program = compiled_program(f->context, source, "-cl-std=CL3.0");
	for (int i = 0; i < 2 * ITEMS; i++) {
		keys[i / ITEMS][i % ITEMS] = (cl_uint)rand_r(&seed) % KEYS;
		expected[keys[i / ITEMS][i % ITEMS]]++;
	}
	return 0;
}

static int tear_down(void **state)
{
	assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
	return fixture_tear_down(state);
}

static struct node *node_at(cl_ulong address)
{
	return (struct node *)(uintptr_t)address;
}

/* Starts the kernel, and returns before it has ended. */
static void start(struct fixture *f, const char *name, void *structure, void *pool)
{
	const size_t global = ITEMS;
	cl_kernel kernel = clCreateKernel(program, name, NULL);

	assert_non_null(kernel);
	assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, structure), CL_SUCCESS);
	assert_int_equal(clSetKernelArgSVMPointer(kernel, 1, pool), CL_SUCCESS);
	assert_int_equal(clSetKernelArgSVMPointer(kernel, 2, keys[0]), CL_SUCCESS);
	assert_int_equal(
		clEnqueueNDRangeKernel(f->queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
		CL_SUCCESS);
	assert_int_equal(clFlush(f->queue), CL_SUCCESS);
	assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

static struct node *new_pool(void)
{
	struct node *pool = calloc(ITEMS, sizeof(*pool));

	assert_non_null(pool);
	return pool;
}

/* ---- a list ---------------------------------------------------------------------------------- */

static void push(cl_ulong *head, struct node *own, cl_uint key)
{
	cl_ulong first = __atomic_load_n(head, __ATOMIC_ACQUIRE);

	own->key = key;
	do
		own->next = first;
	while (!__atomic_compare_exchange_n(head, &first, (uintptr_t)own, false, __ATOMIC_ACQ_REL,
					    __ATOMIC_ACQUIRE));
}

/* How often each key is in the list. */
static void count_list(const cl_ulong *head, cl_uint found[KEYS])
{
	memset(found, 0, KEYS * sizeof(*found));
	for (cl_ulong p = __atomic_load_n(head, __ATOMIC_ACQUIRE); p; p = node_at(p)->next) {
		assert_in_range(node_at(p)->key, 0, KEYS - 1);
		found[node_at(p)->key]++;
	}
}

static void test_list(void **state)
{
	struct fixture *f = *state;
	cl_uint found[KEYS];

	for (int round = 0; round < ROUNDS; round++) {
		struct node *pools[] = {new_pool(), new_pool()};
		cl_ulong head = 0;

		start(f, "push", &head, pools[0]);
		for (int i = 0; i < ITEMS; i++) {
			push(&head, &pools[1][i], keys[1][i]);
			if (i % 512 == 0)
				count_list(&head, found); /* whole at any time */
		}
		assert_int_equal(clFinish(f->queue), CL_SUCCESS);
		count_list(&head, found);
		assert_memory_equal(found, expected, sizeof(expected));
		free(pools[0]);
		free(pools[1]);
	}
}

/* ---- a hash map ------------------------------------------------------------------------------ */

static struct node *find(cl_ulong first, cl_uint key)
{
	for (cl_ulong p = first; p; p = node_at(p)->next) {
		if (node_at(p)->key == key)
			return node_at(p);
	}
	return NULL;
}

static void count_key(cl_ulong *head, struct node *own, cl_uint key)
{
	cl_ulong first = __atomic_load_n(head, __ATOMIC_ACQUIRE);

	own->key = key;
	own->count = 1;
	for (;;) {
		struct node *node = find(first, key);

		if (node) {
			__atomic_fetch_add(&node->count, 1, __ATOMIC_RELAXED);
			return;
		}
		own->next = first;
		if (__atomic_compare_exchange_n(head, &first, (uintptr_t)own, false,
						__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			return;
	}
}

static void test_hash_map(void **state)
{
	struct fixture *f = *state;

	for (int round = 0; round < ROUNDS; round++) {
		struct node *pools[] = {new_pool(), new_pool()};
		cl_ulong heads[BUCKETS] = {0};
		cl_uint nodes = 0;

		start(f, "count", heads, pools[0]);
		for (int i = 0; i < ITEMS; i++)
			count_key(&heads[keys[1][i] % BUCKETS], &pools[1][i], keys[1][i]);
		assert_int_equal(clFinish(f->queue), CL_SUCCESS);
		for (cl_uint key = 0; key < KEYS; key++) {
			const struct node *node = find(heads[key % BUCKETS], key);
			assert_int_equal(node ? node->count : 0, expected[key]);
		}
		for (int i = 0; i < BUCKETS; i++) {
			for (cl_ulong p = heads[i]; p; p = node_at(p)->next)
				nodes++;
		}
		assert_in_range(nodes, 1, KEYS); /* each key once */
		free(pools[0]);
		free(pools[1]);
	}
}

/* ---- a tree ---------------------------------------------------------------------------------- */

/* Balanced, of the keys from `first` on. */
static cl_ulong build(cl_uint first, cl_uint count)
{
	if (count == 0)
		return 0;
	struct branch *branch = calloc(1, sizeof(*branch));
	assert_non_null(branch);
	branch->key = first + count / 2;
	branch->less = build(first, count / 2);
	branch->more = build(branch->key + 1, count - count / 2 - 1);
	return (uintptr_t)branch;
}

/* Of all counts. */
static cl_uint sum(cl_ulong root)
{
	struct branch *branch = (struct branch *)(uintptr_t)root;

	return branch ? __atomic_load_n(&branch->count, __ATOMIC_RELAXED) + sum(branch->less) +
				sum(branch->more)
		      : 0;
}

static void take_down(cl_ulong root, cl_uint found[KEYS])
{
	struct branch *branch = (struct branch *)(uintptr_t)root;

	if (!branch)
		return;
	found[branch->key] = branch->count;
	take_down(branch->less, found);
	take_down(branch->more, found);
	free(branch);
}

static void test_tree(void **state)
{
	struct fixture *f = *state;
	cl_uint found[KEYS];

	for (int round = 0; round < ROUNDS; round++) {
		cl_ulong root = build(0, KEYS);
		cl_uint before = 0;

		start(f, "look_up", &root, NULL);
		for (int i = 0; i < ITEMS; i++) {
			struct branch *branch = (struct branch *)(uintptr_t)root;

			while (branch->key != keys[1][i])
				branch = (struct branch *)(uintptr_t)(keys[1][i] < branch->key
									      ? branch->less
									      : branch->more);
			__atomic_fetch_add(&branch->count, 1, __ATOMIC_RELAXED);
			if (i % 512 == 0) {
				const cl_uint now = sum(root);
				assert_true(now >= before && now <= 2 * ITEMS);
				before = now;
			}
		}
		assert_int_equal(clFinish(f->queue), CL_SUCCESS);
		take_down(root, found);
		assert_memory_equal(found, expected, sizeof(expected));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_hash_map),
		cmocka_unit_test(test_tree),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
