/* SPDX-License-Identifier: MIT
 *
 * The tables of virtual functions of the Itanium C++ ABI, as Clang lays them out.
 */
#ifndef WEFT_PASSES_CLASS_TABLES_H
#define WEFT_PASSES_CLASS_TABLES_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>

namespace weft
{

/* Where objects point to: a class's table has such a place for the class, and one for each base with a pointer of its own. */
struct ClassPlace {
	llvm::GlobalVariable *table;
	uint64_t offset; /* bytes from the table's begin */
	uint64_t number; /* that takes the address's place */
};

bool isClassTable(const llvm::GlobalVariable &variable);
bool isDefinedTable(const llvm::GlobalVariable &table);
/* Of all tables, those that are only declared, too, as far as addresses of them are used; no two numbers are equal. */
llvm::SmallVector<ClassPlace, 8> findClassPlaces(llvm::Module &module);
/* What the table has so many bytes behind the place; NULL: nothing is known. */
llvm::Constant *entryOf(const ClassPlace &place, int64_t offset, llvm::Type *type);
/* Whether it loads what an object begins with. */
bool loadsClass(const llvm::Instruction &instruction);

} // namespace weft

#endif
