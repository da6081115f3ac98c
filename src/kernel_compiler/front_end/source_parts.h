/* SPDX-License-Identifier: MIT
 *
 * Between the parser and Clang's code generator: what of a source LLVM IR is made of. All of it; of its kernels' signatures alone, when
 * kernels are to be read again, each by itself; or of what one of them needs.
 */
#ifndef WEFT_SOURCE_PARTS_H
#define WEFT_SOURCE_PARTS_H

#include "front_end/source_division.h"
#include "front_end/source_files.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Lex/PPCallbacks.h"

#include <memory>
#include <vector>

namespace weft
{

/* What compileSource makes the module of. */
struct SourcePart {
	/* If not NULL, these functions alone; borrowed. The source has compiled before, so nothing is said about it. */
	const FunctionPlaces *functions = nullptr;
	/* Else whether the module may be one of the kernels' signatures: they get empty bodies, and nothing else is in it. */
	llvm::function_ref<bool(const SourceDivision &)> mayDivide = nullptr;
	llvm::function_ref<bool(const std::string &)> isBuiltin = nullptr;
	/* Then what each of them needs. */
	SourceDivision division;
};

/* What the preprocessor has seen. */
struct SourceNotes {
	bool looksForFiles = false; /* another text may be read the next time */
	/* What may act on functions behind it: */
	bool usesCounter = false;
	std::vector<clang::SourceLocation> pragmas; /* but those of a loop */
};

class NoteSource : public clang::PPCallbacks
{
      public:
	/* Both are borrowed. */
	NoteSource(SourceNotes &to, const clang::SourceManager &theSources)
	    : notes(to), sources(theSources)
	{
	}

	void MacroExpands(const clang::Token &name, const clang::MacroDefinition &,
			  clang::SourceRange, const clang::MacroArgs *) override;
	void PragmaDirective(clang::SourceLocation place,
			     clang::PragmaIntroducerKind kind) override;
	void InclusionDirective(clang::SourceLocation place, const clang::Token &, llvm::StringRef,
				bool, clang::CharSourceRange, clang::OptionalFileEntryRef,
				llvm::StringRef, llvm::StringRef, const clang::Module *, bool,
				clang::SrcMgr::CharacteristicKind) override;
	void EmbedDirective(clang::SourceLocation place, llvm::StringRef, bool,
			    clang::OptionalFileEntryRef,
			    const clang::LexEmbedParametersResult &) override;
	void HasInclude(clang::SourceLocation place, llvm::StringRef, bool,
			clang::OptionalFileEntryRef, clang::SrcMgr::CharacteristicKind) override;
	void HasEmbed(clang::SourceLocation place, llvm::StringRef, bool,
		      clang::OptionalFileEntryRef) override;

      private:
	/* Weft's own headers are included in front of the source. */
	void noteFile(clang::SourceLocation place);

	SourceNotes &notes;
	const clang::SourceManager &sources;
};

/* Gives the generator all, or signatures, when the source has been parsed. Of C: C++ needs functions while it is parsed. */
class DivideSource : public clang::ASTConsumer
{
      public:
	/* The last two are borrowed.  */
	DivideSource(std::unique_ptr<clang::ASTConsumer> codeGenerator, SourcePart &thePart,
		     const Surroundings &seen)
	    : generator(std::move(codeGenerator)), part(thePart), surroundings(seen)
	{
	}

	void Initialize(clang::ASTContext &tree) override
	{
		generator->Initialize(tree);
	}

	/* For who sees what the preprocessor does. */
	SourceNotes &sourceNotes()
	{
		return notes;
	}

	bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
	void HandleTagDeclDefinition(clang::TagDecl *type) override;
	void HandleTagDeclRequiredDefinition(const clang::TagDecl *type) override;
	void CompleteTentativeDefinition(clang::VarDecl *variable) override;
	void CompleteExternalDeclaration(clang::DeclaratorDecl *declaration) override;
	void HandleTranslationUnit(clang::ASTContext &tree) override;

      private:
	enum Kind { Group, Type, RequiredType, Tentative, External };
	struct Event {
		Kind kind;
		clang::DeclGroupRef group;
	};

	void replay(const Event &event);
	bool actsOnLater(const clang::SourceManager &sources) const;
	void divide(clang::ASTContext &tree);
	void giveSignatures(clang::ASTContext &tree);

	std::unique_ptr<clang::ASTConsumer> generator;
	SourcePart &part;
	const Surroundings &surroundings;
	SourceNotes notes;
	std::vector<Event> events;
	std::vector<clang::Decl *> declarations;
};

/* Gives the generator what is left when bodies of functions have been skipped. */
class ReadPart : public clang::ASTConsumer
{
      public:
	/* The places are borrowed. */
	ReadPart(std::unique_ptr<clang::ASTConsumer> codeGenerator, const FunctionPlaces &read)
	    : generator(std::move(codeGenerator)), functions(read)
	{
	}

	void Initialize(clang::ASTContext &tree) override
	{
		context = &tree;
		generator->Initialize(tree);
	}

	bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

	void CompleteTentativeDefinition(clang::VarDecl *variable) override
	{
		generator->CompleteTentativeDefinition(variable);
	}

	void HandleTranslationUnit(clang::ASTContext &tree) override
	{
		generator->HandleTranslationUnit(tree);
	}

	bool shouldSkipFunctionBody(clang::Decl *function) override;

      private:
	bool isSkipped(const clang::Decl &function) const;
	bool isLeftOut(const clang::Decl &declaration) const;

	std::unique_ptr<clang::ASTConsumer> generator;
	const FunctionPlaces &functions;
	clang::ASTContext *context = nullptr;
};

} // namespace weft

#endif
