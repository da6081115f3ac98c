/* SPDX-License-Identifier: MIT
 *
 * Where things stand in the source, as the module says: the places that messages of later stages begin with (functions/source_place.h),
 * and for -g a line table.
 */
#ifndef WEFT_SPIRV_SOURCE_LINES_H
#define WEFT_SPIRV_SOURCE_LINES_H

#include "spirv/module/debug_types.h"
#include "spirv/module/module_reader.h"

#include "llvm/IR/DIBuilder.h"

namespace weft::spirv
{

/* Whether an instruction says which line the next ones are of: OpLine, or DebugLine of NonSemantic.Shader.DebugInfo. */
bool isLine(const ModuleReader &module, const Instruction &instruction);

/* Whether it says that no line is known. */
bool isNoLine(const ModuleReader &module, const Instruction &instruction);

/* What a line says. */
struct SourceLine {
	llvm::StringRef file;
	unsigned line, column;
};
SourceLine lineOf(const ModuleReader &module, const Instruction &line);

/* Gives a function or variable its place; `line`: what stands before it, OpNop: nothing. */
void setPlace(const ModuleReader &module, const Instruction &line, llvm::GlobalObject &object);

/* Where a variable's value is. */
struct PlacedVariable {
	llvm::DILocalVariable *variable;
	bool isAddress;      /* the place has the value; else it is the value */
	bool isDereferenced; /* the value is the variable's address */
};

/* What a debugger is told of a module that is built with -g: lines, functions, types and variables, as far as the module says
 * them. */
class LineTable
{
      public:
	/* Borrowed. */
	explicit LineTable(ModuleReader &module);

	/* Each location of the function needs what this makes. Nothing, if nothing is said of the function. */
	void describe(const FunctionInfo &info);
	/* Of a line within the function. */
	llvm::DILocation *location(llvm::DILocalScope &scope, const Instruction &line);
	/* Of a DebugLexicalBlock. */
	llvm::DILexicalBlock *block(const DebugInstruction &debug, llvm::DILocalScope &parent);
	/* Of a DebugLocalVariable. */
	llvm::DILocalVariable *variable(const DebugInstruction &debug, llvm::DILocalScope &scope);
	/* Says at the end of a block where a variable is from there on. */
	void place(llvm::Value &value, const PlacedVariable &placed, llvm::BasicBlock &block);
	/* When the module is read. */
	void finish();

      private:
	llvm::DIFile *file(const SourceLine &line);
	llvm::DIFile *inUnit(llvm::DIFile *file);
	void addVariable(const DebugInstruction &debug);

	ModuleReader &module;
	llvm::DIBuilder builder;
	DebugTypes types;
	llvm::DICompileUnit *unit = nullptr; /* NULL: until the first function with a line */
};

} // namespace weft::spirv

#endif
