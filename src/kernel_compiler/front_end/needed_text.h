/* SPDX-License-Identifier: MIT
 *
 * What a source needs of the text that Clang reads before it: definitions of macros, and of vector types, whose names it cannot have are
 * left out. Reading them all takes as long as what is else done to a kernel of one line. For a source to which Clang has nothing to
 * say: what it says may name what was left out.
 */
#ifndef WEFT_NEEDED_TEXT_H
#define WEFT_NEEDED_TEXT_H

#include "llvm/ADT/StringRef.h"

#include <bitset>
#include <string>

namespace weft
{

/* Whether a text may have a word that cannot be seen in it: by pasting, over the end of a line, in a file that is included, or by
 * trigraphs. */
bool mayHideWords(llvm::StringRef text);

/* A set of words, too large at times: it knows some bits of each. */
class Words
{
      public:
	/* All words of the text. */
	void addText(llvm::StringRef text);
	void addWords(const Words &others);
	bool mayHave(llvm::StringRef word) const;

      private:
	static constexpr size_t size = 1 << 14;
	std::bitset<size> seen;
};

/* The header's lines that are needed, and what these need in turn, which becomes a part of `words`. Lines keep their numbers. Always the
 * same text, which stays. */
std::string neededHeader(llvm::StringRef text, Words &words);

/* The same of Clang's text of macros that are defined, up to those that options define. It reads them before the headers. */
std::string neededMacros(llvm::StringRef macros, Words &words);

} // namespace weft

#endif
