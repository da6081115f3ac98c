/* SPDX-License-Identifier: MIT
 *
 * Arithmetic is written so that nothing in it is undefined: signed sums by way of unsigned ones, unless the
 * tree says that they are plain.
 */
#include "print.h"

#include "random.h"
#include "value.h"

#include <inttypes.h>
#include <math.h>

struct printer {
	FILE *out;
	const struct kernel *kernel;
	unsigned number;
};

static const char *const scalar_names[] = {"char", "uchar", "short", "ushort", "int",
					   "uint", "long",  "ulong", "float",  "double"};
static const char *const operator_names[] = {"+",  "-",  "*", "/",  "%", "&",  "|",  "^",
					     "<<", ">>", "<", "<=", ">", ">=", "==", "!="};
static const char *const query_names[] = {
	"get_global_id",        "get_local_id",      "get_group_id",
	"get_global_size",      "get_local_size",    "get_enqueued_local_size",
	"get_num_groups",       "get_global_offset", "get_local_linear_id",
	"get_global_linear_id",
};
static const char *const atomic_names[] = {"add", "max", "min", "or", "and", "xor", "inc"};

static void print_type(FILE *out, struct type type)
{
	fputs(scalar_names[type.scalar], out);
	if (type.lanes > 1)
		fprintf(out, "%u", type.lanes);
}

static void print_float(FILE *out, enum scalar scalar, double x)
{
	const char *cast = scalar == F32 ? "" : "(double)";

	if (isnan(x))
		fprintf(out, "(%sNAN)", cast);
	else if (isinf(x))
		fprintf(out, "(%s%sINFINITY)", cast, x < 0 ? "-" : "");
	else
		fprintf(out, "(%a%s)", x, scalar == F32 ? "f" : "");
}

static void print_lane(FILE *out, enum scalar scalar, union lane lane)
{
	switch (scalar) {
	case F32:
	case F64:
		print_float(out, scalar, scalar == F32 ? (double)lane.f : lane.d);
		break;
	case I32:
		if (lane.i == INT32_MIN)
			fprintf(out, "(-2147483647 - 1)");
		else
			fprintf(out, lane.i < 0 ? "(%" PRId64 ")" : "%" PRId64, lane.i);
		break;
	case U32:
		fprintf(out, "%" PRIu64 "u", lane.u);
		break;
	case I64:
		if (lane.i == INT64_MIN)
			fprintf(out, "(-9223372036854775807l - 1)");
		else
			fprintf(out, "(%" PRId64 "l)", lane.i);
		break;
	case U64:
		fprintf(out, "%" PRIu64 "ul", lane.u);
		break;
	default:
		fprintf(out, "((%s)%" PRId64 ")", scalar_names[scalar], lane.i);
		break;
	}
}

void print_value(FILE *out, struct type type, const struct value *value)
{
	if (type.lanes > 1) {
		fputs("((", out);
		print_type(out, type);
		fputs(")(", out);
	}
	for (unsigned l = 0; l < type.lanes; l++) {
		if (l > 0)
			fputs(", ", out);
		print_lane(out, type.scalar, value->lane[l]);
	}
	if (type.lanes > 1)
		fputs("))", out);
}

static void print_expr(const struct printer *p, const struct expr *expr);

/* before, args with commas, after */
static void print_args(const struct printer *p, const struct expr *expr, const char *after)
{
	for (unsigned i = 0; i < expr->num_args; i++) {
		if (i > 0)
			fputs(", ", p->out);
		print_expr(p, expr->args[i]);
	}
	fputs(after, p->out);
}

static bool is_narrow(struct type type)
{
	return type.lanes == 1 && type.scalar < I32;
}

/* (type)( or as_type( : what takes an unsigned result back. */
static void print_back(FILE *out, struct type type)
{
	fputs(type.lanes > 1 ? "as_" : "((", out);
	print_type(out, type);
	fputs(type.lanes > 1 ? "(" : ")(", out);
}

/* The operand as an unsigned number in which nothing overflows. */
static void print_unsigned(const struct printer *p, const struct expr *operand)
{
	struct type type = unsigned_of(operand->type);

	if (is_narrow(type))
		type.scalar = U32;
	fputs(type.lanes > 1 ? "as_" : "(", p->out);
	print_type(p->out, type);
	fputs(type.lanes > 1 ? "(" : ")", p->out);
	print_expr(p, operand);
	if (type.lanes > 1)
		fputs(")", p->out);
}

static void print_unary(const struct printer *p, const struct expr *expr)
{
	struct type type = expr->type;

	if (expr->op == '-' && !is_float(type)) {
		print_back(p->out, type);
		fputs("-", p->out);
		print_unsigned(p, expr->args[0]);
		fputs(type.lanes > 1 ? ")" : "))", p->out);
		return;
	}
	if (is_narrow(type)) {
		fputs("(", p->out);
		fprintf(p->out, "(%s)", scalar_names[type.scalar]);
	}
	fprintf(p->out, "(%c", expr->op);
	print_args(p, expr, is_narrow(type) ? "))" : ")");
}

static void print_binary(const struct printer *p, const struct expr *expr)
{
	struct type type = expr->type;
	bool wraps = expr->op == ADD || expr->op == SUB || expr->op == MUL;

	if (wraps && !expr->plain && (is_signed(type) || is_narrow(type))) {
		print_back(p->out, type);
		print_unsigned(p, expr->args[0]);
		fprintf(p->out, " %s ", operator_names[expr->op]);
		print_unsigned(p, expr->args[1]);
		fputs(type.lanes > 1 ? ")" : "))", p->out);
		return;
	}
	if (is_narrow(type))
		fprintf(p->out, "((%s)", scalar_names[type.scalar]);
	fputs("(", p->out);
	print_expr(p, expr->args[0]);
	fprintf(p->out, " %s ", operator_names[expr->op]);
	print_expr(p, expr->args[1]);
	fputs(is_narrow(type) ? "))" : ")", p->out);
}

static void print_choose(const struct printer *p, const struct expr *expr)
{
	if (is_narrow(expr->type))
		fprintf(p->out, "((%s)", scalar_names[expr->type.scalar]);
	fputs("(", p->out);
	print_expr(p, expr->args[0]);
	fputs(" ? ", p->out);
	print_expr(p, expr->args[1]);
	fputs(" : ", p->out);
	print_expr(p, expr->args[2]);
	fputs(is_narrow(expr->type) ? "))" : ")", p->out);
}

static void print_convert(const struct printer *p, const struct expr *expr)
{
	if (expr->kind == CONVERT && expr->type.lanes == 1) {
		fprintf(p->out, "((%s)", scalar_names[expr->type.scalar]);
	} else {
		fputs("(convert_", p->out);
		print_type(p->out, expr->type);
		fputs(expr->kind == SATURATE ? "_sat(" : "(", p->out);
		print_args(p, expr, "))");
		return;
	}
	print_args(p, expr, ")");
}

static void print_as(const struct printer *p, const struct expr *expr)
{
	fputs("as_", p->out);
	print_type(p->out, expr->type);
	fputs("(", p->out);
	if (!is_float(expr->type)) {
		print_args(p, expr, ")");
		return;
	}
	print_args(p, expr, " & (");
	print_type(p->out, expr->args[0]->type);
	fprintf(p->out, ")%s)", expr->type.scalar == F32 ? "0xbfffffffu" : "0xbffffffffffffffful");
}

static void print_builtin(const struct printer *p, const struct expr *expr)
{
	bool zero = expr->op == BUILTIN_FMIN || expr->op == BUILTIN_FMAX;

	fprintf(p->out, "%s%s(", zero ? "(" : "", builtin_infos[expr->op].name);
	print_args(p, expr, ")");
	if (zero)
		fputs(expr->type.scalar == F32 ? " + 0.0f)" : " + 0.0)", p->out);
}

static void print_query(const struct printer *p, const struct expr *expr)
{
	fprintf(p->out, "((%s)%s(", scalar_names[expr->type.scalar], query_names[expr->op]);
	if (expr->op < LOCAL_LINEAR)
		fprintf(p->out, "%d", expr->index);
	fputs("))", p->out);
}

static void print_object(const struct printer *p, int index)
{
	if (p->kernel->objects[index].kind == TABLE)
		fprintf(p->out, "t%u_%d", p->number, index);
	else
		fprintf(p->out, "b%d", index);
}

static void print_element(const struct printer *p, int object, int field, const struct expr *place)
{
	print_object(p, object);
	fputs("[", p->out);
	print_expr(p, place);
	fputs("]", p->out);
	if (p->kernel->objects[object].num_fields > 1)
		fprintf(p->out, ".m%d", field);
}

static void print_argument(const struct printer *p, const struct expr *expr)
{
	if (expr->index == ARGUMENT_N)
		fputs("n", p->out);
	else if (expr->index < MAX_OBJECTS)
		fprintf(p->out, "n%d", expr->index);
	else
		fprintf(p->out, "s%d", expr->index - MAX_OBJECTS);
}

static void print_swizzle(const struct printer *p, const struct expr *expr)
{
	fputs("(", p->out);
	print_args(p, expr, ").s");
	for (unsigned l = 0; l < expr->type.lanes; l++)
		fprintf(p->out, "%d", expr->pattern[l]);
}

static void print_vload(const struct printer *p, const struct expr *expr)
{
	fprintf(p->out, "vload%u(0, ", expr->type.lanes);
	print_object(p, expr->index);
	fputs(" + ", p->out);
	print_args(p, expr, ")");
}

static void print_two(const struct printer *p, const struct expr *expr)
{
	const char *op =
		expr->kind == LOGIC ? expr->op == AND ? "&&" : "||" : operator_names[expr->op];

	fputs("(", p->out);
	print_expr(p, expr->args[0]);
	fprintf(p->out, " %s ", op);
	print_expr(p, expr->args[1]);
	fputs(")", p->out);
}

static void print_expr(const struct printer *p, const struct expr *expr)
{
	switch (expr->kind) {
	case CONSTANT:
		print_value(p->out, expr->type, &expr->constant);
		return;
	case VARIABLE:
	case POSTINC:
		fprintf(p->out, expr->kind == VARIABLE ? "v%d" : "v%d++", expr->index);
		return;
	case ARGUMENT:
		print_argument(p, expr);
		return;
	case QUERY:
		print_query(p, expr);
		return;
	case UNARY:
		print_unary(p, expr);
		return;
	case BINARY:
		print_binary(p, expr);
		return;
	case COMPARE:
	case LOGIC:
		print_two(p, expr);
		return;
	case CHOOSE:
		print_choose(p, expr);
		return;
	case CONVERT:
	case SATURATE:
		print_convert(p, expr);
		return;
	case AS:
		print_as(p, expr);
		return;
	case BITS:
		fputs("bits_of(", p->out);
		print_args(p, expr, ")");
		return;
	case BUILTIN:
		print_builtin(p, expr);
		return;
	case CALL:
		fprintf(p->out, "f%u_%d(", p->number, expr->index);
		print_args(p, expr, ")");
		return;
	case SHUFFLED:
		fputs("shuffled(", p->out);
		print_args(p, expr, ", ");
		if (expr->index < MOST_SHUFFLED)
			fprintf(p->out, "%du)", expr->index);
		else
			fputs("(uint)n)", p->out);
		return;
	case LANE:
		fputs("(", p->out);
		print_args(p, expr, ")");
		fprintf(p->out, ".s%d", expr->index);
		return;
	case MAKE:
		fputs("((", p->out);
		print_type(p->out, expr->type);
		fputs(")(", p->out);
		print_args(p, expr, "))");
		return;
	case SWIZZLE:
		print_swizzle(p, expr);
		return;
	case LOAD:
		print_element(p, expr->index, expr->field, expr->args[0]);
		return;
	case VLOAD:
		print_vload(p, expr);
		return;
	}
}

static void print_block(const struct printer *p, const struct block *block, int depth);

static void indent(const struct printer *p, int depth)
{
	fprintf(p->out, "%*s", depth * 2, "");
}

static void print_store(const struct printer *p, const struct statement *s)
{
	if (s->kind == VSTORE) {
		fprintf(p->out, "vstore%u(", s->value->type.lanes);
		print_expr(p, s->value);
		fputs(", 0, ", p->out);
		print_object(p, s->index);
		fputs(" + ", p->out);
		print_expr(p, s->place);
		fputs(");\n", p->out);
	} else if (s->kind == UPDATE) {
		int atomic = p->kernel->objects[s->index].atomic;
		fprintf(p->out, "atomic_%s(&", atomic_names[atomic]);
		print_element(p, s->index, 0, s->place);
		if (s->value) {
			fputs(", ", p->out);
			print_expr(p, s->value);
		}
		fputs(");\n", p->out);
	} else {
		print_element(p, s->index, s->field, s->place);
		fputs(" = ", p->out);
		print_expr(p, s->value);
		fputs(";\n", p->out);
	}
}

static void print_if(const struct printer *p, const struct statement *s, int depth)
{
	fputs("if (", p->out);
	print_expr(p, s->value);
	fputs(") {\n", p->out);
	print_block(p, &s->blocks[0], depth + 1);
	indent(p, depth);
	if (s->num_blocks > 1) {
		fputs("} else {\n", p->out);
		print_block(p, &s->blocks[1], depth + 1);
		indent(p, depth);
	}
	fputs("}\n", p->out);
}

static void print_switch(const struct printer *p, const struct statement *s, int depth)
{
	fputs("switch (", p->out);
	print_expr(p, s->value);
	fputs(") {\n", p->out);
	for (unsigned i = 0; i < s->num_blocks; i++) {
		indent(p, depth);
		if (i + 1 < s->num_blocks)
			fprintf(p->out, "case %u: {\n", i);
		else
			fputs("default: {\n", p->out);
		print_block(p, &s->blocks[i], depth + 1);
		indent(p, depth);
		fputs(s->falls >> i & 1 ? "}\n" : "} break;\n", p->out);
	}
	indent(p, depth);
	fputs("}\n", p->out);
}

static void print_for(const struct printer *p, const struct statement *s, int depth)
{
	const char *type = scalar_names[p->kernel->variables[s->index].type.scalar];

	if (s->step > 0) {
		fprintf(p->out, "for (%s v%d = 0; v%d < ", type, s->index, s->index);
		print_expr(p, s->value);
		fprintf(p->out, "; v%d += %d) {\n", s->index, s->step);
	} else {
		fprintf(p->out, "for (%s v%d = ", type, s->index);
		print_expr(p, s->value);
		fprintf(p->out, "; v%d-- > 0;) {\n", s->index);
	}
	print_block(p, &s->blocks[0], depth + 1);
	indent(p, depth);
	fputs("}\n", p->out);
}

static void print_while(const struct printer *p, const struct statement *s, int depth)
{
	fprintf(p->out, "{ int v%d = %d; ", s->index, s->step);
	if (s->kind == WHILE) {
		fprintf(p->out, "while (v%d-- > 0 && ", s->index);
		print_expr(p, s->value);
		fputs(") {\n", p->out);
	} else {
		fputs("do {\n", p->out);
	}
	print_block(p, &s->blocks[0], depth + 1);
	indent(p, depth);
	if (s->kind == DO) {
		fprintf(p->out, "} while (--v%d > 0 && ", s->index);
		print_expr(p, s->value);
		fputs("); }\n", p->out);
	} else {
		fputs("} }\n", p->out);
	}
}

static void print_graph(const struct printer *p, const struct statement *s, int depth)
{
	fprintf(p->out, "{ int v%d = %d;\n", s->index, s->step);
	for (unsigned i = 0; i < s->num_blocks; i++) {
		indent(p, depth);
		fprintf(p->out, "L%d_%u: {\n", s->field, i);
		print_block(p, &s->blocks[i], depth + 1);
		indent(p, depth);
		fprintf(p->out, "} if (--v%d <= 0) goto L%d_e; if (", s->index, s->field);
		print_expr(p, s->conditions[i]);
		fprintf(p->out, ") goto L%d_%d; goto L%d_%d;\n", s->field, s->targets[i][0],
			s->field, s->targets[i][1]);
	}
	indent(p, depth);
	fprintf(p->out, "L%d_e: ; }\n", s->field);
}

static void print_simple(const struct printer *p, const struct statement *s)
{
	switch (s->kind) {
	case BREAK:
		fputs("break;\n", p->out);
		break;
	case CONTINUE:
		fputs("continue;\n", p->out);
		break;
	case GOTO:
		fprintf(p->out, "goto L%d_e;\n", s->index);
		break;
	case BARRIER:
		fputs("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n", p->out);
		break;
	case RETURN:
		fputs("return", p->out);
		if (s->value) {
			fputs(" ", p->out);
			print_expr(p, s->value);
		}
		fputs(";\n", p->out);
		break;
	default: /* assignments */
		if (s->kind == DECLARE) {
			print_type(p->out, p->kernel->variables[s->index].type);
			fputs(" ", p->out);
		}
		fprintf(p->out, "v%d", s->index);
		if (s->kind == ASSIGN_LANE)
			fprintf(p->out, ".s%d", s->field);
		fputs(" = ", p->out);
		print_expr(p, s->value);
		fputs(";\n", p->out);
	}
}

static void print_collective(const struct printer *p, const struct statement *s)
{
	static const char *const names[NUM_COLLECTIVES] = {
		"reduce_add",
		"reduce_min",
		"reduce_max",
		"scan_inclusive_add",
		"scan_inclusive_min",
		"scan_inclusive_max",
		"scan_exclusive_add",
		"scan_exclusive_min",
		"scan_exclusive_max",
		"broadcast",
		"any",
		"all",
	};

	print_type(p->out, p->kernel->variables[s->index].type);
	fprintf(p->out, " v%d = work_group_%s(", s->index, names[s->field]);
	print_expr(p, s->value);
	for (unsigned d = 0; s->field == GROUP_BROADCAST && d < 3; d++) {
		fputs(", ", p->out);
		print_expr(p, s->conditions[d]);
	}
	fputs(");\n", p->out);
}

static void print_statement(const struct printer *p, const struct statement *s, int depth)
{
	indent(p, depth);
	switch (s->kind) {
	case STORE:
	case VSTORE:
	case UPDATE:
		print_store(p, s);
		break;
	case COLLECTIVE:
		print_collective(p, s);
		break;
	case IF:
		print_if(p, s, depth);
		break;
	case SWITCH:
		print_switch(p, s, depth);
		break;
	case FOR:
		print_for(p, s, depth);
		break;
	case WHILE:
	case DO:
		print_while(p, s, depth);
		break;
	case LABELLED:
	case BLOCK:
		fputs("{\n", p->out);
		print_block(p, &s->blocks[0], depth + 1);
		indent(p, depth);
		if (s->kind == LABELLED)
			fprintf(p->out, "} L%d_e: ;\n", s->index);
		else
			fputs("}\n", p->out);
		break;
	case GRAPH:
		print_graph(p, s, depth);
		break;
	default:
		print_simple(p, s);
	}
}

static void print_block(const struct printer *p, const struct block *block, int depth)
{
	for (const struct statement *s = block->first; s; s = s->next) {
		if (!s->dropped)
			print_statement(p, s, depth);
	}
}

struct value table_value(const struct kernel *kernel, int object, size_t element)
{
	struct random random = {kernel->seed * 64 + (uint64_t)object * 4096 + element};
	struct type type = kernel->objects[object].fields[0];
	struct value value = {0};

	/* Clang's NAN is no constant */
	for (unsigned l = 0; l < type.lanes; l++) {
		do
			value.lane[l] = random_lane(&random, type.scalar);
		while ((type.scalar == F32 && isnan(value.lane[l].f)) ||
		       (type.scalar == F64 && isnan(value.lane[l].d)));
	}
	return value;
}

static void print_table(const struct printer *p, int index)
{
	const struct object *object = &p->kernel->objects[index];

	fputs("constant ", p->out);
	print_type(p->out, object->fields[0]);
	fprintf(p->out, " t%u_%d[%d] = {", p->number, index, object->add);
	for (size_t i = 0; i < (size_t)object->add; i++) {
		struct value value = table_value(p->kernel, index, i);
		print_value(p->out, object->fields[0], &value);
		fputs(", ", p->out);
	}
	fputs("};\n", p->out);
}

static void print_object_type(const struct printer *p, int index)
{
	const struct object *object = &p->kernel->objects[index];

	if (object->num_fields > 1)
		fprintf(p->out, "struct r%u_%d", p->number, index);
	else
		print_type(p->out, object->fields[0]);
}

static void print_struct(const struct printer *p, int index)
{
	const struct object *object = &p->kernel->objects[index];

	print_object_type(p, index);
	fputs(" { ", p->out);
	for (unsigned f = 0; f < object->num_fields; f++) {
		print_type(p->out, object->fields[f]);
		fprintf(p->out, " m%u; ", f);
	}
	fputs("};\n", p->out);
}

static void print_function(const struct printer *p, unsigned index)
{
	const struct function *function = &p->kernel->functions[index];

	if (function->noinline)
		fputs("__attribute__((noinline)) ", p->out);
	print_type(p->out, function->type);
	fprintf(p->out, " f%u_%u(", p->number, index);
	for (unsigned i = 0; i < function->num_parameters; i++) {
		int v = function->parameters[i];
		if (i > 0)
			fputs(", ", p->out);
		print_type(p->out, p->kernel->variables[v].type);
		fprintf(p->out, " v%d", v);
	}
	fputs(")\n{\n", p->out);
	print_block(p, &function->body, 1);
	fputs("}\n", p->out);
}

static void print_parameters(const struct printer *p)
{
	const struct kernel *kernel = p->kernel;

	for (unsigned j = 0; j < kernel->num_objects; j++) {
		const struct object *object = &kernel->objects[j];
		if ((!is_buffer(object) && !object->argument) || object->dropped)
			continue;
		fputs(object->kind == INPUT ? "global const "
		      : is_local(object)    ? "local "
					    : "global ",
		      p->out);
		print_object_type(p, (int)j);
		fprintf(p->out, " *b%u, ", j);
	}
	fputs("int n", p->out);
	for (unsigned j = 0; j < kernel->num_objects; j++) {
		if (is_buffer(&kernel->objects[j]) && !kernel->objects[j].dropped)
			fprintf(p->out, ", int n%u", j);
	}
	for (unsigned j = 0; j < kernel->num_scalars; j++) {
		fputs(", ", p->out);
		print_type(p->out, kernel->scalars[j]);
		fprintf(p->out, " s%u", j);
	}
}

/* Local and private arrays. */
static void print_arrays(const struct printer *p)
{
	for (unsigned j = 0; j < p->kernel->num_objects; j++) {
		const struct object *object = &p->kernel->objects[j];
		if (object->argument || is_buffer(object) || object->kind == TABLE ||
		    object->dropped)
			continue;
		fputs(is_local(object) ? "  local " : "  ", p->out);
		print_object_type(p, (int)j);
		fprintf(p->out, " b%u[%zu];\n", j, object_count(object, p->kernel->most_local));
	}
}

void print_prologue(FILE *out)
{
	fputs("#ifndef RELAXED\n"
	      "#pragma OPENCL FP_CONTRACT OFF\n"
	      "#endif\n"
	      "int __attribute__((overloadable)) bits_of(float x)\n"
	      "{ return isnan(x) ? 0 : as_int(x); }\n"
	      "long __attribute__((overloadable)) bits_of(double x)\n"
	      "{ return isnan(x) ? 0 : as_long(x); }\n",
	      out);
	/* x by way of other lanes, by `m`: up and down where all lanes run, else exchanged by two that do. */
	fputs("#define SHUFFLED(T) \\\n"
	      "static T __attribute__((overloadable)) shuffled(T x, uint m) { \\\n"
	      "  uint lane = get_sub_group_local_id(), size = get_max_sub_group_size(); \\\n"
	      "  uint running = sub_group_ballot(1).x; \\\n"
	      "  m &= size - 1; \\\n"
	      "  if (running == ~0u >> (32 - size)) { \\\n"
	      "    T from = intel_sub_group_shuffle(x, (lane + m) & (size - 1)); \\\n"
	      "    x = intel_sub_group_shuffle_down(x, (T)0, m); \\\n"
	      "    x = intel_sub_group_shuffle_up(from, x, m); \\\n"
	      "  } else if (running >> (lane ^ m) & 1) { \\\n"
	      "    x = intel_sub_group_shuffle_xor(x, m); \\\n"
	      "    x = intel_sub_group_shuffle_xor(x, m); \\\n"
	      "  } \\\n"
	      "  return x; }\n"
	      "SHUFFLED(char) SHUFFLED(uchar) SHUFFLED(short) SHUFFLED(ushort) SHUFFLED(int)\n"
	      "SHUFFLED(uint) SHUFFLED(long) SHUFFLED(ulong) SHUFFLED(float) SHUFFLED(double)\n",
	      out);
}

void print_kernel(FILE *out, const struct kernel *kernel, unsigned number)
{
	const struct printer printer = {out, kernel, number};

	for (unsigned j = 0; j < kernel->num_objects; j++) {
		if (kernel->objects[j].dropped)
			continue;
		if (kernel->objects[j].kind == TABLE)
			print_table(&printer, (int)j);
		if (kernel->objects[j].num_fields > 1)
			print_struct(&printer, (int)j);
	}
	for (unsigned j = 0; j < kernel->num_functions; j++) {
		if (!kernel->functions[j].dropped)
			print_function(&printer, j);
	}
	if (kernel->required_size) {
		const size_t *local = kernel->geometries[0].local;
		fprintf(out, "__attribute__((reqd_work_group_size(%zu, %zu, %zu)))\n", local[0],
			local[1], local[2]);
	}
	fprintf(out, "kernel void k%u(", number);
	print_parameters(&printer);
	fputs(")\n{\n", out);
	print_arrays(&printer);
	if (kernel->has_subgroups)
		fputs("\tif (get_max_sub_group_size() > 32)\n\t\treturn;\n", out);
	print_block(&printer, &kernel->body, 1);
	fputs("}\n", out);
}

void print_geometry(FILE *out, const struct geometry *geometry)
{
	fprintf(out, "global");
	for (unsigned d = 0; d < geometry->dims; d++)
		fprintf(out, " %zu", geometry->global[d]);
	fprintf(out, ", local");
	for (unsigned d = 0; d < geometry->dims; d++)
		fprintf(out, " %zu", geometry->local[d]);
	fprintf(out, ", offset");
	for (unsigned d = 0; d < geometry->dims; d++)
		fprintf(out, " %zu", geometry->offset[d]);
}
