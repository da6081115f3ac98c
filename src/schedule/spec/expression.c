/* SPDX-License-Identifier: MIT
 *
 * A parser by recursive descent that evaluates as it reads.
 */
#include "spec/expression.h"

#include "spec/arithmetic.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH 100
#define MOST_NAME 64

struct parser {
	struct weft_expression *expression;
	const char *next;
	unsigned depth; /* of parentheses and signs */
};

static bool fail(struct parser *parser, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool fail(struct parser *parser, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(parser->expression->problem, WEFT_EXPRESSION_PROBLEM, format, list);
	va_end(list);
	return false;
}

static char look(struct parser *parser)
{
	parser->next += strspn(parser->next, " \t");
	return *parser->next;
}

/* Takes the operator if it stands here. */
static bool take(struct parser *parser, const char *text)
{
	look(parser);
	const size_t length = strlen(text);
	if (strncmp(parser->next, text, length) != 0)
		return false;
	parser->next += length;
	return true;
}

static bool wrong_place(struct parser *parser)
{
	return look(parser)
		       ? fail(parser, "'%s' does not continue the expression '%s'", parser->next,
			      parser->expression->text)
		       : fail(parser, "the expression '%s' has no end", parser->expression->text);
}

static bool parse_sum(struct parser *parser, struct weft_number *number);

static bool parse_constant(struct parser *parser, struct weft_number *number)
{
	char *whole_end = NULL;
	char *real_end = NULL;

	errno = 0;
	*number = (struct weft_number){.whole = strtoll(parser->next, &whole_end, 10)};
	const bool fits = errno == 0;
	const double real = strtod(parser->next, &real_end);
	if (real_end > whole_end)
		*number = (struct weft_number){.is_real = true, .real = real};
	if (real_end > whole_end ? !isfinite(real) : !fits)
		return fail(parser, "the number '%s' is too large", parser->next);
	parser->next = real_end;
	return true;
}

static bool parse_call(struct parser *parser, const char *name, struct weft_number *number)
{
	struct weft_number arguments[WEFT_MOST_ARGUMENTS];
	size_t count = 0;

	do {
		if (count == WEFT_MOST_ARGUMENTS)
			return fail(parser, "%s has too many arguments", name);
		if (!parse_sum(parser, &arguments[count++]))
			return false;
	} while (take(parser, ","));
	if (!take(parser, ")"))
		return wrong_place(parser);
	const char *problem = weft_number_call(name, arguments, count, number);
	return !problem || fail(parser, "%s: %s", name, problem);
}

static bool parse_name(struct parser *parser, struct weft_number *number)
{
	char name[MOST_NAME];
	size_t length = 0;

	while (isalnum((unsigned char)parser->next[length]) || parser->next[length] == '_')
		length++;
	if (length >= sizeof(name))
		return fail(parser, "a name is too long");
	memcpy(name, parser->next, length);
	name[length] = 0;
	parser->next += length;
	if (take(parser, "("))
		return parse_call(parser, name, number);
	const int64_t *value = weft_variables_get(parser->expression->variables, name);
	if (!value)
		return fail(parser, "there is no variable '%s'", name);
	*number = (struct weft_number){.whole = *value};
	return true;
}

static bool parse_atom(struct parser *parser, struct weft_number *number)
{
	const char c = look(parser);

	if (isdigit((unsigned char)c) || c == '.')
		return parse_constant(parser, number);
	if (isalpha((unsigned char)c) || c == '_')
		return parse_name(parser, number);
	if (!take(parser, "("))
		return wrong_place(parser);
	return parse_sum(parser, number) && (take(parser, ")") || wrong_place(parser));
}

static bool combine(struct parser *parser, char operation, struct weft_number *number,
		    const struct weft_number *other)
{
	const char *problem = weft_number_combine(operation, number, other);

	return !problem || fail(parser, "%s in '%s'", problem, parser->expression->text);
}

/* A sign binds weaker than a power: -2**2 is -4. */
static bool parse_signed(struct parser *parser, struct weft_number *number)
{
	static const struct weft_number zero = {.whole = 0};
	struct weft_number other;

	if (parser->depth > MOST_DEPTH)
		return fail(parser, "the expression is too deep");
	if (take(parser, "-") || take(parser, "+")) {
		const char sign = parser->next[-1];

		parser->depth++;
		if (!parse_signed(parser, &other))
			return false;
		parser->depth--;
		*number = zero;
		return combine(parser, sign, number, &other);
	}
	parser->depth++;
	if (!parse_atom(parser, number))
		return false;
	if (take(parser, "**") &&
	    !(parse_signed(parser, &other) && combine(parser, '^', number, &other)))
		return false;
	parser->depth--;
	return true;
}

static bool parse_product(struct parser *parser, struct weft_number *number)
{
	struct weft_number other;

	if (!parse_signed(parser, number))
		return false;
	for (;;) {
		char operation = 0;

		if (take(parser, "//"))
			operation = 'f';
		else if (take(parser, "*") || take(parser, "/") || take(parser, "%"))
			operation = parser->next[-1];
		else
			return true;
		if (!parse_signed(parser, &other) || !combine(parser, operation, number, &other))
			return false;
	}
}

static bool parse_sum(struct parser *parser, struct weft_number *number)
{
	struct weft_number other;

	if (!parse_product(parser, number))
		return false;
	while (take(parser, "+") || take(parser, "-")) {
		const char operation = parser->next[-1];

		if (!parse_product(parser, &other) || !combine(parser, operation, number, &other))
			return false;
	}
	return true;
}

bool weft_expression_number(struct weft_expression *expression, struct weft_number *number)
{
	struct parser parser = {.expression = expression, .next = expression->text};

	return parse_sum(&parser, number) && (!look(&parser) || wrong_place(&parser));
}

bool weft_expression_list(struct weft_expression *expression,
			  struct weft_number numbers[WEFT_EXPRESSION_LIST], size_t *count)
{
	struct parser parser = {.expression = expression, .next = expression->text};

	const bool has_brackets = take(&parser, "[");
	*count = 0;
	do {
		if (*count == WEFT_EXPRESSION_LIST)
			return fail(&parser, "the list is too long");
		if (!parse_sum(&parser, &numbers[(*count)++]))
			return false;
	} while (has_brackets && take(&parser, ","));
	return (!has_brackets || take(&parser, "]") || wrong_place(&parser)) &&
	       (!look(&parser) || wrong_place(&parser));
}

/* ---- variables ----------------------------------------------------------------------------------- */

bool weft_is_name(const char *text)
{
	return !isdigit((unsigned char)*text) && *text &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyz"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(text);
}

bool weft_variables_set(struct weft_variables *variables, const char *name, int64_t value)
{
	for (size_t i = 0; i < variables->count; i++) {
		if (strcmp(variables->items[i].name, name) == 0) {
			variables->items[i].value = value;
			return true;
		}
	}
	struct weft_variable *items = (struct weft_variable *)realloc(
		variables->items, (variables->count + 1) * sizeof(*items));
	if (!items)
		return false;
	variables->items = items;
	items[variables->count] = (struct weft_variable){strdup(name), value};
	if (!items[variables->count].name)
		return false;
	variables->count++;
	return true;
}

const int64_t *weft_variables_get(const struct weft_variables *variables, const char *name)
{
	for (; variables; variables = variables->outer) {
		for (size_t i = 0; i < variables->count; i++) {
			if (strcmp(variables->items[i].name, name) == 0)
				return &variables->items[i].value;
		}
	}
	return NULL;
}

void weft_variables_destroy(struct weft_variables *variables)
{
	for (size_t i = 0; i < variables->count; i++)
		free(variables->items[i].name);
	free(variables->items);
	*variables = (struct weft_variables){0};
}
