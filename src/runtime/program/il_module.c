/* SPDX-License-Identifier: MIT
 *
 * Walks through the instructions of a module once. Nothing that they say is trusted but their lengths, which have been
 * checked. Time is that of sorting what was found.
 */
#include "program/il_module.h"

#include "alloc.h"

#include <stdlib.h>
#include <string.h>

/* The SPIR-V specification, 2.3 "Physical Layout of a SPIR-V Module and Instruction". */
#define MAGIC 0x07230203u
#define HEADER_WORDS 5
#define NEWEST_VERSION 0x00010600u

/* Its section 3.49 "Instructions", and the decoration of 3.20. */
enum {
	OP_TYPE_INT = 21,
	OP_TYPE_FLOAT = 22,
	OP_SPEC_CONSTANT_TRUE = 48,
	OP_SPEC_CONSTANT_FALSE = 49,
	OP_SPEC_CONSTANT = 50,
	OP_DECORATE = 71,
	OP_GROUP_DECORATE = 74,
	DECORATION_SPEC_ID = 1
};

/* Something that is said of an id. */
struct fact {
	uint32_t id;
	uint32_t number;
};

struct fact_list {
	struct fact *facts; /* owned */
	size_t count;
	size_t room;
};

/* What a walk finds. */
struct findings {
	struct fact_list widths;    /* of types, in bits */
	struct fact_list constants; /* id of a constant, id of its type; 0 for a boolean one */
	struct fact_list spec_ids;  /* of constants, or of groups of decorations */
	struct fact_list members;   /* the id of a group, one of what it decorates */
};

struct instruction {
	uint32_t opcode;
	const unsigned char *operands;
	uint32_t num_operands; /* words */
	bool is_swapped;       /* its words have the other order of bytes */
};

static uint32_t read_word(const unsigned char *bytes, bool is_swapped)
{
	uint32_t word;

	memcpy(&word, bytes, sizeof(word));
	return is_swapped ? __builtin_bswap32(word) : word;
}

static uint32_t operand(const struct instruction *instruction, uint32_t index)
{
	return read_word(instruction->operands + index * sizeof(uint32_t), instruction->is_swapped);
}

static bool add_fact(struct fact_list *list, uint32_t id, uint32_t number)
{
	struct fact *facts = weft_grow(list->facts, &list->room, list->count, sizeof(*facts));

	if (!facts)
		return false;
	list->facts = facts;
	list->facts[list->count++] = (struct fact){id, number};
	return true;
}

static int compare_facts(const void *left, const void *right)
{
	const struct fact *a = left;
	const struct fact *b = right;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void sort_facts(struct fact_list *list)
{
	if (list->count)
		qsort(list->facts, list->count, sizeof(*list->facts), compare_facts);
}

/* The first fact about the id in a sorted list, or the end of the list. */
static const struct fact *first_fact(const struct fact_list *list, uint32_t id)
{
	size_t low = 0;
	size_t high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->facts[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return list->facts + low;
}

/* 0: nothing is said of the id. */
static uint32_t find_number(const struct fact_list *list, uint32_t id)
{
	const struct fact *fact = first_fact(list, id);

	return fact != list->facts + list->count && fact->id == id ? fact->number : 0;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static bool note_members(const struct instruction *instruction, struct findings *found)
{
	for (uint32_t i = 1; i < instruction->num_operands; i++) {
		if (!add_fact(&found->members, operand(instruction, 0), operand(instruction, i)))
			return false;
	}
	return true;
}

/* False: out of memory. Instructions that are too short for what they say are the compiler's to refuse. */
static bool note_instruction(const struct instruction *instruction, struct findings *found)
{
	if (instruction->num_operands < 2)
		return true;
	const uint32_t first = operand(instruction, 0);
	const uint32_t second = operand(instruction, 1);

	switch (instruction->opcode) {
	case OP_TYPE_INT:
	case OP_TYPE_FLOAT:
		return add_fact(&found->widths, first, second);
	case OP_SPEC_CONSTANT_TRUE:
	case OP_SPEC_CONSTANT_FALSE:
		return add_fact(&found->constants, second, 0);
	case OP_SPEC_CONSTANT:
		return add_fact(&found->constants, second, first);
	case OP_DECORATE:
		return second != DECORATION_SPEC_ID || instruction->num_operands < 3 ||
		       add_fact(&found->spec_ids, first, operand(instruction, 2));
	case OP_GROUP_DECORATE:
		return note_members(instruction, found);
	default:
		return true;
	}
}

/* The lengths of all instructions must give the module's. */
static enum weft_status walk(const struct weft_il_module *module, bool is_swapped,
			     struct findings *found)
{
	const unsigned char *bytes = module->bytes;
	const size_t num_words = module->size / sizeof(uint32_t);

	for (size_t next = HEADER_WORDS; next < num_words;) {
		const unsigned char *start = bytes + next * sizeof(uint32_t);
		const uint32_t first = read_word(start, is_swapped);
		const uint32_t length = first >> 16;

		if (length == 0 || length > num_words - next)
			return WEFT_INVALID_BINARY;
		const struct instruction instruction = {
			.opcode = first & 0xffff,
			.operands = start + sizeof(uint32_t),
			.num_operands = length - 1,
			.is_swapped = is_swapped,
		};
		if (!note_instruction(&instruction, found))
			return WEFT_OUT_OF_MEMORY;
		next += length;
	}
	return WEFT_OK;
}

/* ---- constants ------------------------------------------------------------------------------- */

/* Gives what decorates a group to the group's members; of several identifiers of a group only one, so that what is made is
 * no longer than the module. */
static bool spread_groups(struct findings *found)
{
	const size_t count = found->spec_ids.count;

	for (size_t i = 0; i < count; i++) {
		const struct fact group = found->spec_ids.facts[i];
		const struct fact *member = first_fact(&found->members, group.id);

		if (i > 0 && found->spec_ids.facts[i - 1].id == group.id)
			continue;
		for (; member != found->members.facts + found->members.count &&
		       member->id == group.id;
		     member++) {
			if (!add_fact(&found->spec_ids, member->number, group.number))
				return false;
		}
	}
	return true;
}

/* Bytes of a value of the constant; 0: it is none that could be set. */
static uint32_t constant_size(const struct findings *found, const struct fact *constant)
{
	if (constant->number == 0)
		return 1;
	switch (find_number(&found->widths, constant->number)) {
	case 8:
		return 1;
	case 16:
		return 2;
	case 32:
		return 4;
	case 64:
		return 8;
	default:
		return 0;
	}
}

static int compare_constants(const void *left, const void *right)
{
	const struct weft_il_constant *a = left;
	const struct weft_il_constant *b = right;

	return (a->value.id > b->value.id) - (a->value.id < b->value.id);
}

static void collect_constants(struct findings *found, struct weft_il_module *module)
{
	size_t count = 0;

	for (size_t i = 0; i < found->constants.count; i++) {
		const struct fact *constant = &found->constants.facts[i];
		const struct fact *spec_id = first_fact(&found->spec_ids, constant->id);
		const uint32_t size = constant_size(found, constant);

		if (size == 0 || spec_id == found->spec_ids.facts + found->spec_ids.count ||
		    spec_id->id != constant->id)
			continue;
		module->constants[count++].value =
			(struct weft_spec_constant){.id = spec_id->number, .size = size};
	}
	qsort(module->constants, count, sizeof(*module->constants), compare_constants);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || module->constants[i].value.id != module->constants[i - 1].value.id)
			module->constants[module->num_constants++] = module->constants[i];
	}
}

static enum weft_status find_constants(struct findings *found, struct weft_il_module *module)
{
	if (found->constants.count == 0 || found->spec_ids.count == 0)
		return WEFT_OK;
	sort_facts(&found->widths);
	sort_facts(&found->members);
	sort_facts(&found->spec_ids);
	if (!spread_groups(found))
		return WEFT_OUT_OF_MEMORY;
	sort_facts(&found->spec_ids);
	module->constants = weft_calloc(found->constants.count, sizeof(*module->constants));
	if (!module->constants)
		return WEFT_OUT_OF_MEMORY;
	collect_constants(found, module);
	return WEFT_OK;
}

/* ---- modules --------------------------------------------------------------------------------- */

/* Whether it begins as a module; *is_swapped: whether its words have the other order of bytes. */
static bool read_header(const void *bytes, size_t size, bool *is_swapped)
{
	if (size % sizeof(uint32_t) != 0 || size < HEADER_WORDS * sizeof(uint32_t))
		return false;
	*is_swapped = read_word(bytes, false) != MAGIC;
	if (read_word(bytes, *is_swapped) != MAGIC)
		return false;
	const uint32_t version =
		read_word((const unsigned char *)bytes + sizeof(uint32_t), *is_swapped);
	return version >= 0x00010000u && version <= NEWEST_VERSION && (version & 0xff) == 0;
}

enum weft_status weft_il_module_read(const void *bytes, size_t size, struct weft_il_module *module)
{
	struct findings found = {0};
	bool is_swapped;

	*module = (struct weft_il_module){.size = size};
	if (!read_header(bytes, size, &is_swapped))
		return WEFT_INVALID_BINARY;
	module->bytes = weft_memdup(bytes, size);
	if (!module->bytes)
		return WEFT_OUT_OF_MEMORY;
	enum weft_status status = walk(module, is_swapped, &found);
	if (status == WEFT_OK)
		status = find_constants(&found, module);
	weft_free(found.widths.facts);
	weft_free(found.constants.facts);
	weft_free(found.spec_ids.facts);
	weft_free(found.members.facts);
	return status;
}

void weft_il_module_destroy(struct weft_il_module *module)
{
	weft_free(module->bytes);
	weft_free(module->constants);
	*module = (struct weft_il_module){0};
}

struct weft_il_constant *weft_il_module_find(const struct weft_il_module *module, uint32_t id)
{
	const struct weft_il_constant wanted = {.value.id = id};

	if (module->num_constants == 0)
		return NULL;
	return bsearch(&wanted, module->constants, module->num_constants, sizeof(wanted),
		       compare_constants);
}
