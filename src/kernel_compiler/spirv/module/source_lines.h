/* SPDX-License-Identifier: MIT
 *
 * Where things stand in the source, as the module says: the places that messages of later stages begin with (ir/source_place.h),
 * and for -g a line table.
 */
#ifndef WEFT_SPIRV_SOURCE_LINES_H
#define WEFT_SPIRV_SOURCE_LINES_H

#include "spirv/module/module_reader.h"

#include "llvm/IR/DIBuilder.h"

namespace weft::spirv
{

/* Whether an instruction says which line the next ones are of: OpLine, or DebugLine of NonSemantic.Shader.DebugInfo. */
bool isLine(const ModuleReader &module, const Instruction &instruction);

/* Whether it says that no line is known. */
bool isNoLine(const ModuleReader &module, const Instruction &instruction);

/* Whether it is DebugSource, whose operand 2 is the file's name. */
bool isDebugSource(const ModuleReader &module, const Instruction &instruction);

/* What a line says. */
struct SourceLine {
	llvm::StringRef file;
	unsigned line, column;
};
SourceLine lineOf(const ModuleReader &module, const Instruction &line);

/* Gives a function or variable its place; `line`: what stands before it, OpNop: nothing. */
void setPlace(const ModuleReader &module, const Instruction &line, llvm::GlobalObject &object);

/* The line table of a module that is built with -g and says what its lines are. */
class LineTable
{
      public:
	/* Both are borrowed. */
	explicit LineTable(ModuleReader &module);

	/* Each location of the function needs what this makes; `line`: before the function. */
	void describe(llvm::Function &function, llvm::StringRef name, const Instruction &line);
	/* Of a line within the function. */
	llvm::DILocation *location(llvm::Function &function, const Instruction &line);
	/* When the module is read. */
	void finish();

      private:
	llvm::DIFile *file(const SourceLine &line);

	ModuleReader &module;
	llvm::DIBuilder builder;
	llvm::DICompileUnit *unit = nullptr; /* NULL: until the first line */
};

} // namespace weft::spirv

#endif
