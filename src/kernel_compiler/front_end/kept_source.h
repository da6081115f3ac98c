/* SPDX-License-Identifier: MIT
 *
 * A source that is kept to be read again, a kernel or a few at a time: with its options, and which functions each kernel needs. It stands
 * where bitcode else does: in an archive, and as what specialisations are made of. It never leaves the process and its cache.
 */
#ifndef WEFT_KEPT_SOURCE_H
#define WEFT_KEPT_SOURCE_H

#include "compiler.h"
#include "front_end/source_division.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace weft
{

struct KeptSource {
	std::string options, text;
	bool zeroPrivate = false, zeroLocal = false;
	SourceDivision division; /* without sizes */
};

void writeKeptSource(const weft_compile_desc &desc, const SourceDivision &division,
		     llvm::SmallVectorImpl<char> &bytes);

/* Whether it is one, perhaps damaged. */
bool isKeptSource(llvm::StringRef bytes);

/* False: it is none, or damaged. */
bool readKeptSource(llvm::StringRef bytes, KeptSource &source);

/* Takes the other functions' bodies out of the text, in which everything keeps its place. Some may stay. */
void keepBodies(KeptSource &source, const FunctionPlaces &functions);

} // namespace weft

#endif
