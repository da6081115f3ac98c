/* SPDX-License-Identifier: MIT
 *
 * The generator gets what it would have got from the parser, in the same order.
 */
#include "front_end/source_parts.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLExtras.h"

namespace weft
{

void NoteSource::MacroExpands(const clang::Token &name, const clang::MacroDefinition &,
			      clang::SourceRange, const clang::MacroArgs *)
{
	notes.usesCounter |= name.getIdentifierInfo()->getName() == "__COUNTER__";
}

void NoteSource::PragmaDirective(clang::SourceLocation place, clang::PragmaIntroducerKind kind)
{
	if (kind == clang::PIK_HashPragma) {
		llvm::StringRef line(sources.getCharacterData(place));
		line = line.drop_front().ltrim(" \t");
		line.consume_front("pragma");
		line = line.ltrim(" \t").take_until([](char c) { return !llvm::isAlnum(c); });
		if (line == "unroll" || line == "nounroll")
			return;
	}
	notes.pragmas.push_back(place);
}

void NoteSource::noteFile(clang::SourceLocation place)
{
	notes.looksForFiles |=
		sources.getDecomposedExpansionLoc(place).first == sources.getMainFileID();
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are Clang's */
void NoteSource::InclusionDirective(clang::SourceLocation place, const clang::Token &,
				    llvm::StringRef, bool, clang::CharSourceRange,
				    clang::OptionalFileEntryRef, llvm::StringRef, llvm::StringRef,
				    const clang::Module *, bool, clang::SrcMgr::CharacteristicKind)
{
	noteFile(place);
}

void NoteSource::EmbedDirective(clang::SourceLocation place, llvm::StringRef, bool,
				clang::OptionalFileEntryRef,
				const clang::LexEmbedParametersResult &)
{
	noteFile(place);
}

void NoteSource::HasInclude(clang::SourceLocation place, llvm::StringRef, bool,
			    clang::OptionalFileEntryRef, clang::SrcMgr::CharacteristicKind)
{
	noteFile(place);
}

void NoteSource::HasEmbed(clang::SourceLocation place, llvm::StringRef, bool,
			  clang::OptionalFileEntryRef)
{
	noteFile(place);
}

bool DivideSource::HandleTopLevelDecl(clang::DeclGroupRef group)
{
	events.push_back({Group, group});
	declarations.insert(declarations.end(), group.begin(), group.end());
	return true;
}

void DivideSource::HandleTagDeclDefinition(clang::TagDecl *type)
{
	events.push_back({Type, clang::DeclGroupRef(type)});
}

void DivideSource::HandleTagDeclRequiredDefinition(const clang::TagDecl *type)
{
	events.push_back({RequiredType, clang::DeclGroupRef(const_cast<clang::TagDecl *>(type))});
}

void DivideSource::CompleteTentativeDefinition(clang::VarDecl *variable)
{
	events.push_back({Tentative, clang::DeclGroupRef(variable)});
}

void DivideSource::CompleteExternalDeclaration(clang::DeclaratorDecl *declaration)
{
	events.push_back({External, clang::DeclGroupRef(declaration)});
}

void DivideSource::replay(const Event &event)
{
	if (event.kind == Group) {
		generator->HandleTopLevelDecl(event.group);
		return;
	}
	clang::Decl *declaration = *const_cast<Event &>(event).group.begin();
	if (event.kind == Type)
		generator->HandleTagDeclDefinition(llvm::cast<clang::TagDecl>(declaration));
	else if (event.kind == RequiredType)
		generator->HandleTagDeclRequiredDefinition(llvm::cast<clang::TagDecl>(declaration));
	else if (event.kind == Tentative)
		generator->CompleteTentativeDefinition(llvm::cast<clang::VarDecl>(declaration));
	else
		generator->CompleteExternalDeclaration(
			llvm::cast<clang::DeclaratorDecl>(declaration));
}

/* Whether a function's body changes what is behind it: that would be lost where the body is. */
bool DivideSource::actsOnLater(const clang::SourceManager &sources) const
{
	const auto placeOf = [&](clang::SourceLocation place) {
		return sources.getDecomposedExpansionLoc(place).second;
	};
	std::vector<unsigned> pragmas;
	for (clang::SourceLocation place : notes.pragmas) {
		if (sources.getDecomposedExpansionLoc(place).first == sources.getMainFileID())
			pragmas.push_back(placeOf(place));
	}
	llvm::sort(pragmas);
	return notes.usesCounter || llvm::any_of(declarations, [&](const clang::Decl *declaration) {
		       if (!declaration->hasBody() ||
			   placeOfFunction(sources, *declaration) == UINT32_MAX)
			       return false;
		       const clang::SourceRange body = declaration->getBody()->getSourceRange();
		       const auto next = llvm::lower_bound(pragmas, placeOf(body.getBegin()));
		       return next != pragmas.end() && *next <= placeOf(body.getEnd());
	       });
}

void DivideSource::divide(clang::ASTContext &tree)
{
	const bool hasFile = llvm::any_of(surroundings.places, [](const Place &place) {
		return place.kind == WEFT_PLACE_FILE;
	});
	if (tree.getDiagnostics().hasErrorOccurred() || notes.looksForFiles || hasFile ||
	    surroundings.usesTime || actsOnLater(tree.getSourceManager()))
		return;
	part.division = divideTree(tree, declarations, part.isBuiltin);
	if (!part.division.kernels.empty() && !part.mayDivide(part.division))
		part.division = {};
}

/* The tree is not used any more. */
void DivideSource::giveSignatures(clang::ASTContext &tree)
{
	for (clang::Decl *declaration : declarations) {
		auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
		if (!function || !function->hasAttr<clang::DeviceKernelAttr>() ||
		    !function->doesThisDeclarationHaveABody())
			continue;
		const clang::SourceLocation place = function->getLocation();
		function->setBody(clang::CompoundStmt::Create(tree, {}, clang::FPOptionsOverride(),
							      place, place));
		generator->HandleTopLevelDecl(clang::DeclGroupRef(function));
	}
}

void DivideSource::HandleTranslationUnit(clang::ASTContext &tree)
{
	divide(tree);
	if (part.division.kernels.empty()) {
		for (const Event &event : events)
			replay(event);
	} else {
		giveSignatures(tree);
	}
	generator->HandleTranslationUnit(tree);
}

bool ReadPart::isSkipped(const clang::Decl &function) const
{
	const uint32_t place = placeOfFunction(context->getSourceManager(), function);
	return place != UINT32_MAX && !functions.contains(place);
}

bool ReadPart::isLeftOut(const clang::Decl &declaration) const
{
	const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&declaration);
	return function && function->isThisDeclarationADefinition() && isSkipped(*function);
}

bool ReadPart::HandleTopLevelDecl(clang::DeclGroupRef group)
{
	/* A definition of a function is a group of its own. */
	return (group.isSingleDecl() && isLeftOut(*group.getSingleDecl())) ||
	       generator->HandleTopLevelDecl(group);
}

bool ReadPart::shouldSkipFunctionBody(clang::Decl *function)
{
	return isSkipped(*function);
}

} // namespace weft
