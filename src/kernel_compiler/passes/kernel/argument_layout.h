/* SPDX-License-Identifier: MIT
 *
 * How a kernel's arguments lie in the packed block: in their order, each at its natural alignment. The
 * descriptor says it to the runtime and the entry point reads by it.
 */
#ifndef WEFT_PASSES_ARGUMENT_LAYOUT_H
#define WEFT_PASSES_ARGUMENT_LAYOUT_H

#include <llvm/IR/Function.h>

#include <vector>

namespace weft
{

/* Metadata of the load of a local argument, which is a distance in the group's memory. */
constexpr char localArgumentMetadata[] = "weft.local.argument";

struct ArgumentPlace {
	uint32_t kind;   /* enum weft_arg_kind */
	uint32_t size;   /* bytes */
	uint32_t offset; /* bytes */
	uint32_t align;  /* bytes; of a local pointer: what it points to */
};

struct ArgumentLayout {
	std::vector<ArgumentPlace> places;
	uint32_t size = 0; /* bytes of the block */
};

ArgumentLayout layOutArguments(const llvm::Function &kernel);

/* A whole number that one pass leaves for a later one, kept as an attribute of the argument; 0 without it. */
uint32_t getArgumentNumber(const llvm::Argument &argument, llvm::StringRef attribute);

/* Reads reqd_work_group_size and its kind: three numbers, zeros without the metadata. */
void readSizes(const llvm::Function &kernel, llvm::StringRef metadata, uint32_t sizes[3]);

/* Whether every group has the required size: it is given, and no group may be smaller. */
bool hasFixedSize(const llvm::Function &kernel);

} // namespace weft

#endif
