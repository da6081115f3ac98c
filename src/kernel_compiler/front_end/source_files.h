/* SPDX-License-Identifier: MIT
 *
 * The files that a source may include: headers given as text, Weft's own, and regular files of the
 * host. A device, a pipe or a socket does not exist for a source. What a source has seen of the host is
 * noted, what it has looked for in vain too.
 */
#ifndef WEFT_SOURCE_FILES_H
#define WEFT_SOURCE_FILES_H

#include "compiler.h"

#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace weft
{

/* Where the headers with OpenCL C's types and macros and with the functions that Clang does not know, and the headers
 * given as text, seem to lie. */
constexpr char ownFolder[] = "/.weft";
constexpr char baseHeader[] = "/.weft/opencl-c-base.h";
constexpr char declarationsHeader[] = "/.weft/declarations.h";
constexpr char givenHeadersDir[] = "/.weft/headers";

struct Place {
	std::string path; /* absolute, or of nothing, counted from the working folder */
	weft_place_kind kind;
};

/* What a compilation has seen of the world around it. */
struct Surroundings {
	std::vector<Place> places; /* in order, each once */
	bool usesFolder = false;   /* something was found in it */
	bool usesTime = false;
};

/* The text of the base header. */
llvm::StringRef baseHeaderText();

/* `base`: the text that stands for the base header, borrowed, and a zero follows it. Notes in `surroundings` what is looked for; borrowed as long as the file system lives, as is the description. */
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
createSourceFiles(const weft_compile_desc &desc, llvm::StringRef base, Surroundings &surroundings);

} // namespace weft

#endif
