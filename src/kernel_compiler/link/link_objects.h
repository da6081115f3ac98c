/* SPDX-License-Identifier: MIT
 *
 * Objects and libraries: how they are stored, and how they are put together.
 */
#ifndef WEFT_LINK_OBJECTS_H
#define WEFT_LINK_OBJECTS_H

#include "compiler.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>

namespace weft
{

/* An object or library: bitcode behind LLVM's wrapper header, which ends in a digest of the
 * bitcode, so that a damaged one is recognised before LLVM reads it. */
void writeObject(const llvm::Module &module, llvm::SmallVectorImpl<char> &object);

/* Reads all inputs and merges them. WEFT_INVALID_BINARY for one that is damaged or not an object,
 * WEFT_BUILD_FAILED when they contradict each other. */
weft_status mergeObjects(const weft_bytes *inputs, size_t numInputs, llvm::LLVMContext &context,
			 std::unique_ptr<llvm::Module> &module, std::string &log);

/* Reads one, but for its functions' bodies, which Function::materialize reads: until then `input` stays. NULL for one that
 * is damaged. */
std::unique_ptr<llvm::Module> readObjectLazily(const weft_bytes &input, llvm::LLVMContext &context,
					       std::string &log);

} // namespace weft

#endif
