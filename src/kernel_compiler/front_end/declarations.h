/* SPDX-License-Identifier: MIT
 *
 * What stands between Clang's declarations and the module: attributes that Clang takes and no kernel can have are errors;
 * and the module remembers where in the source its functions and variables stand, for the messages of later stages.
 */
#ifndef WEFT_DECLARATIONS_H
#define WEFT_DECLARATIONS_H

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclBase.h"
#include "clang/Basic/Diagnostic.h"

namespace clang
{
class CodeGenerator;
class SourceManager;
} // namespace clang

namespace llvm
{
class Module;
} // namespace llvm

namespace weft
{

/* Runs before Clang's code generator, so that it meets no declaration for which it has no code. */
class CheckDeclarations : public clang::ASTConsumer
{
      public:
	/* Borrowed. */
	explicit CheckDeclarations(clang::DiagnosticsEngine &engine) : diagnostics(engine)
	{
	}

	bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

      private:
	void check(clang::Decl &declaration);
	void checkName(const clang::NamedDecl &declaration);
	void refuse(const clang::Attr &attribute, const char *reason);

	clang::DiagnosticsEngine &diagnostics;
};

/* Gives each function and variable its place (source_place.h). */
void notePlaces(llvm::Module &module, clang::CodeGenerator &generator,
		const clang::SourceManager &sources);

/* Makes the kernels of blocks, which the source does not declare, internal: objects that are linked may have some of one name. */
void hideBlocks(llvm::Module &module, clang::CodeGenerator &generator);

} // namespace weft

#endif
