/* SPDX-License-Identifier: MIT
 *
 * Types and variables of a module's debug information, as a debugger is told of them.
 */
#ifndef WEFT_SPIRV_DEBUG_TYPES_H
#define WEFT_SPIRV_DEBUG_TYPES_H

#include "spirv/module/debug_instructions.h"
#include "spirv/module/module_reader.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DIBuilder.h"

namespace weft::spirv
{

struct SourcePlace {
	llvm::DIFile *file = nullptr; /* NULL: not known, and no line */
	unsigned line = 0;
};

class DebugTypes
{
      public:
	/* Both are borrowed. */
	DebugTypes(const ModuleReader &of, llvm::DIBuilder &into) : module(of), builder(into)
	{
	}

	/* NULL when the id is no type, as for void. */
	llvm::DIType *type(Id id)
	{
		return typeWithin(id, 0);
	}
	/* Of a DebugTypeFunction; without parameters when it is none. */
	llvm::DISubroutineType *functionType(Id id);
	/* The file of a DebugSource; NULL: there is none. */
	llvm::DIFile *file(Id source) const;
	/* Where something stands whose operand 2 is its DebugSource, and operand 3 the line; in the `other` file if it has none. */
	SourcePlace placeOf(const DebugInstruction &debug, llvm::DIFile *other) const;
	/* Gives structures their members, which may lead back to them. */
	void finish();

      private:
	llvm::DIType *typeWithin(Id id, unsigned depth);
	llvm::DIType *make(const DebugInstruction &debug, unsigned depth);
	llvm::DIType *makeFunction(const DebugInstruction &debug, unsigned depth);
	llvm::DIType *makeTypedef(const DebugInstruction &debug, unsigned depth);
	llvm::DIType *makeBasic(const DebugInstruction &debug);
	llvm::DIType *makeQualified(const DebugInstruction &debug, unsigned depth);
	llvm::DIType *makeArray(const DebugInstruction &debug, unsigned depth);
	llvm::DIType *makeVector(const DebugInstruction &debug, unsigned depth);
	llvm::DIType *makeEnum(const DebugInstruction &debug, unsigned depth);
	llvm::DIType *makeComposite(const DebugInstruction &debug);
	llvm::DIType *makeMember(const DebugInstruction &member, llvm::DIScope *scope);

	const ModuleReader &module;
	llvm::DIBuilder &builder;
	llvm::DenseMap<Id, llvm::DIType *> types; /* NULL also for one that is being made */
	llvm::SmallVector<std::pair<llvm::DICompositeType *, DebugInstruction>, 0> unfinished;
};

} // namespace weft::spirv

#endif
