/* SPDX-License-Identifier: MIT
 *
 * Ends the front end where a source of a few lines would keep it busy for ever: macros that double what they expand to, files
 * that include themselves twice.
 */
#ifndef WEFT_SOURCE_LIMITS_H
#define WEFT_SOURCE_LIMITS_H

#include "support/crash_guard.h"

#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

namespace weft
{

class SourceLimits : public clang::PPCallbacks
{
      public:
	/* Borrowed. */
	explicit SourceLimits(clang::DiagnosticsEngine &engine) : diagnostics(engine)
	{
	}

	void MacroExpands(const clang::Token &name, const clang::MacroDefinition &,
			  clang::SourceRange, const clang::MacroArgs *) override
	{
		if (++expansions > maxExpansions)
			stop(name.getLocation(), "this source expands more than %0 macros",
			     maxExpansions);
	}

	/* NOLINTNEXTLINE(readability-function-size): the parameters are Clang's */
	void InclusionDirective(clang::SourceLocation place, const clang::Token &, llvm::StringRef,
				bool, clang::CharSourceRange, clang::OptionalFileEntryRef,
				llvm::StringRef, llvm::StringRef, const clang::Module *, bool,
				clang::SrcMgr::CharacteristicKind) override
	{
		if (++inclusions > maxInclusions)
			stop(place, "this source includes more than %0 files", maxInclusions);
	}

      private:
	static constexpr unsigned maxExpansions = 10000000, maxInclusions = 20000;

	template <unsigned N>
	[[noreturn]] void stop(clang::SourceLocation place, const char (&message)[N], unsigned most)
	{
		diagnostics.Report(place, diagnostics.getCustomDiagID(
						  clang::DiagnosticsEngine::Fatal, message))
			<< most;
		leaveJob();
	}

	clang::DiagnosticsEngine &diagnostics;
	unsigned expansions = 0, inclusions = 0;
};

} // namespace weft

#endif
