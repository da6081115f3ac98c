/* SPDX-License-Identifier: MIT
 *
 * The files that a source may include: headers given as text, Weft's own, and regular files of the
 * host, which are noted. A device, a pipe or a socket does not exist for a source.
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
constexpr char baseHeader[] = "/.weft/opencl-c-base.h";
constexpr char declarationsHeader[] = "/.weft/declarations.h";
constexpr char givenHeadersDir[] = "/.weft/headers";

/* `files` gets the absolute path of each host file that is opened, in order, each once; borrowed as
 * long as the file system lives, as are the headers' texts. */
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
createSourceFiles(const weft_header *headers, size_t numHeaders, std::vector<std::string> &files);

} // namespace weft

#endif
