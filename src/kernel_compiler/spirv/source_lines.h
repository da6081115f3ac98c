/* SPDX-License-Identifier: MIT
 *
 * Where things stand in the source, as OpLine says: the places that messages of later stages begin with (ir/source_place.h),
 * and for -g a line table.
 */
#ifndef WEFT_SPIRV_SOURCE_LINES_H
#define WEFT_SPIRV_SOURCE_LINES_H

#include "spirv/module_reader.h"

#include "llvm/IR/DIBuilder.h"

namespace weft::spirv
{

/* Gives a function or variable its place; `line`: the OpLine before it, OpNop: there is none. */
void setPlace(const ModuleReader &module, const Instruction &line, llvm::GlobalObject &object);

/* The line table of a module that is built with -g and has OpLine. */
class LineTable
{
      public:
	/* Both are borrowed. */
	explicit LineTable(ModuleReader &module);

	/* Each location of the function needs what this makes; `line`: before the function. */
	void describe(llvm::Function &function, llvm::StringRef name, const Instruction &line);
	/* Of an OpLine within the function. */
	llvm::DILocation *location(llvm::Function &function, const Instruction &line);
	/* When the module is read. */
	void finish();

      private:
	llvm::DIFile *file(const Instruction &line);

	ModuleReader &module;
	llvm::DIBuilder builder;
	llvm::DICompileUnit *unit = nullptr; /* NULL: until the first line */
};

} // namespace weft::spirv

#endif
