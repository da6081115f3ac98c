/* SPDX-License-Identifier: MIT
 *
 * One change after the other, kept when the kernel still fails; until nothing more can go.
 */
#include "minimise.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct hunt {
	struct kernel *kernel;
	const struct runner_target *target;
	int kind; /* how it fails: what is sought is a smaller one of the same kind */
	bool changed;
};

enum { FINE, DIFFERS, NOT_COMPILED, DIES, NOT_ALLOWED };

static void try_in_child(const struct hunt *hunt)
{
	struct rlimit no_core = {0, 0};
	struct progress progress = {0};
	struct subject subject;

	setrlimit(RLIMIT_CORE, &no_core);
	if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
		_exit(NOT_ALLOWED);
	subject_make(&subject, hunt->kernel);
	int failures = try_kernels(&subject, 1, hunt->target, &progress);
	if (failures >= 0)
		_exit(failures ? DIFFERS : FINE);
	/* broken C, or the compiler's fault? */
	const struct runner_target scalar = {hunt->target->options, hunt->target->cpu, 1,
					     hunt->target->costs, hunt->target->slow_gathers};
	_exit(try_kernels(&subject, 1, &scalar, &progress) < 0 ? NOT_ALLOWED : NOT_COMPILED);
}

/* Dying of SIGABRT is the generator's own way to say that a change was not allowed. */
static int try_once(const struct hunt *hunt)
{
	int status = 0;

	fflush(NULL);
	pid_t child = fork();
	if (child == 0)
		try_in_child(hunt);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return NOT_ALLOWED;
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGABRT ? NOT_ALLOWED : DIES;
	return WEXITSTATUS(status);
}

static bool keep(struct hunt *hunt)
{
	if (try_once(hunt) != hunt->kind)
		return false;
	hunt->changed = true;
	return true;
}

static void drop_flag(struct hunt *hunt, bool *dropped)
{
	if (*dropped)
		return;
	*dropped = true;
	*dropped = keep(hunt);
}

static bool is_zero(const struct expr *expr)
{
	for (unsigned l = 0; l < expr->type.lanes; l++) {
		if (expr->constant.lane[l].u != 0)
			return false;
	}
	return expr->kind == CONSTANT;
}

static void shrink_expr(struct hunt *hunt, struct expr *expr)
{
	struct expr before;

	if (!expr)
		return;
	if (!expr->fixed && !is_zero(expr)) {
		before = *expr;
		*expr = (struct expr){.kind = CONSTANT, .type = before.type};
		if (keep(hunt))
			return;
		*expr = before;
		for (unsigned i = 0; i < before.num_args; i++) {
			if (before.args[i]->type.scalar != before.type.scalar ||
			    before.args[i]->type.lanes != before.type.lanes)
				continue;
			*expr = *before.args[i];
			if (keep(hunt)) {
				shrink_expr(hunt, expr);
				return;
			}
			*expr = before;
		}
	}
	for (unsigned i = 0; i < expr->num_args; i++)
		shrink_expr(hunt, expr->args[i]);
}

static void drop_statements(struct hunt *hunt, struct block *block);

static void drop_statement(struct hunt *hunt, struct statement *s)
{
	enum statement_kind kind = s->kind;

	if (s->dropped)
		return;
	if (!s->fixed || kind == DECLARE || kind == BARRIER || kind == COLLECTIVE || kind == FOR ||
	    kind == STORE || kind == IF)
		drop_flag(hunt, &s->dropped);
	if (s->dropped)
		return;
	if (kind == IF || kind == FOR || kind == WHILE || kind == DO || kind == LABELLED) {
		if (kind == IF && s->num_blocks == 2) {
			s->num_blocks = 1;
			if (!keep(hunt))
				s->num_blocks = 2;
		}
		if (!s->fixed || kind == FOR) {
			s->kind = BLOCK;
			if (!keep(hunt))
				s->kind = kind;
		}
	}
	for (unsigned i = 0; i < s->num_blocks; i++)
		drop_statements(hunt, &s->blocks[i]);
}

/* From the last to the first: what is declared goes after its uses. */
static void drop_from(struct hunt *hunt, struct statement *s)
{
	if (!s)
		return;
	drop_from(hunt, s->next);
	drop_statement(hunt, s);
}

static void drop_statements(struct hunt *hunt, struct block *block)
{
	drop_from(hunt, block->first);
}

static void shrink_block(struct hunt *hunt, struct block *block)
{
	for (struct statement *s = block->first; s; s = s->next) {
		if (s->dropped)
			continue;
		shrink_expr(hunt, s->value);
		shrink_expr(hunt, s->place);
		for (unsigned i = 0; i < s->num_blocks; i++) {
			shrink_expr(hunt, s->conditions[i]);
			shrink_block(hunt, &s->blocks[i]);
		}
	}
}

static void drop_geometries(struct hunt *hunt)
{
	struct kernel *kernel = hunt->kernel;
	struct geometry before[MAX_GEOMETRIES];
	unsigned count = kernel->num_geometries;

	memcpy(before, kernel->geometries, sizeof(before));
	for (unsigned g = 0; g < count && count > 1; g++) {
		kernel->num_geometries = 1;
		kernel->geometries[0] = before[g];
		if (keep(hunt))
			return;
		kernel->num_geometries = count;
		kernel->geometries[0] = before[0];
	}
}

static void drop_arguments(struct hunt *hunt)
{
	struct kernel *kernel = hunt->kernel;

	for (unsigned i = kernel->num_functions; i-- > 0;)
		drop_flag(hunt, &kernel->functions[i].dropped);
	for (unsigned j = 0; j < kernel->num_objects; j++)
		drop_flag(hunt, &kernel->objects[j].dropped);
	while (kernel->num_scalars > 0) {
		kernel->num_scalars--;
		if (!keep(hunt)) {
			kernel->num_scalars++;
			break;
		}
	}
}

bool minimise(struct kernel *kernel, const struct runner_target *target)
{
	struct hunt hunt = {kernel, target, FINE, true};

	hunt.kind = try_once(&hunt);
	if (hunt.kind == FINE || hunt.kind == NOT_ALLOWED)
		return false;
	while (hunt.changed) {
		hunt.changed = false;
		drop_geometries(&hunt);
		drop_statements(&hunt, &kernel->body);
		for (unsigned i = 0; i < kernel->num_functions; i++) {
			if (!kernel->functions[i].dropped)
				drop_statements(&hunt, &kernel->functions[i].body);
		}
		shrink_block(&hunt, &kernel->body);
		for (unsigned i = 0; i < kernel->num_functions; i++) {
			if (!kernel->functions[i].dropped)
				shrink_block(&hunt, &kernel->functions[i].body);
		}
		drop_arguments(&hunt);
	}
	return true;
}
