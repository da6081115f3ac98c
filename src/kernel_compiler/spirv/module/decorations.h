/* SPDX-License-Identifier: MIT
 *
 * The decorations of a module's ids, those of groups among them.
 */
#ifndef WEFT_SPIRV_DECORATIONS_H
#define WEFT_SPIRV_DECORATIONS_H

#include "spirv/binary/words.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Alignment.h"

namespace weft::spirv
{

/* The operands of `instruction` are those of the decoration: what stands behind its number. */
struct Decoration {
	spv::Decoration kind;
	Instruction instruction;
};

/* Whether it decorates something, or is a group of decorations (SPIR-V 3.42.3). */
bool isAnnotation(spv::Op opcode);

class Decorations
{
      public:
	/* False when the instruction does not decorate. Decorations of members of structures mean nothing to a kernel. */
	bool read(const Instruction &instruction);

	llvm::ArrayRef<Decoration> of(Id id) const;

	/* The first of this kind; NULL: there is none. */
	const Decoration *find(Id id, spv::Decoration kind) const;

	/* What Alignment says of a variable, parameter or pointer. */
	llvm::MaybeAlign alignment(Id id) const;

	bool has(Id id, spv::Decoration kind) const
	{
		return find(id, kind) != nullptr;
	}

      private:
	void decorate(const Instruction &instruction);
	void decorateGroup(const Instruction &instruction);

	llvm::DenseMap<Id, llvm::SmallVector<Decoration, 1>> decorations;
	size_t inGroups = 0; /* how many were copied to the targets of groups */
};

} // namespace weft::spirv

#endif
