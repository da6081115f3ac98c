/* SPDX-License-Identifier: MIT
 *
 * Which functions each kernel of a source needs, so that a kernel's LLVM IR can be made by itself, when its code is wanted. Only of plain
 * OpenCL C: of a source in which whatever later stages might refuse could be, there is no division.
 */
#ifndef WEFT_SOURCE_DIVISION_H
#define WEFT_SOURCE_DIVISION_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace weft
{

/* Functions, by the places of their names: bytes from the source's beginning. */
using FunctionPlaces = llvm::DenseSet<uint32_t>;

struct KernelSource {
	std::string name;
	std::vector<uint32_t> needs; /* places of functions, its own first */
	double size;                 /* in instructions, about, with all that is inlined */
};

/* The body of a function, which is between braces in the source's own text and has no line of the preprocessor's in it. */
struct FunctionBody {
	uint32_t function;   /* its place */
	uint32_t begin, end; /* bytes from the source's beginning; with the braces */
};

struct SourceDivision {
	std::vector<KernelSource> kernels; /* in the source's order; empty: there is no division */
	std::vector<FunctionBody> bodies;
};

/* `isBuiltin` says whether there is a built-in function of a (mangled) name. */
SourceDivision divideTree(clang::ASTContext &tree, llvm::ArrayRef<clang::Decl *> declarations,
			  llvm::function_ref<bool(const std::string &)> isBuiltin);

/* The place of a function's name; UINT32_MAX: it is in another file. */
uint32_t placeOfFunction(const clang::SourceManager &sources, const clang::Decl &function);

} // namespace weft

#endif
