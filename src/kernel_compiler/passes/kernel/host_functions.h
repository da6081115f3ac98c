/* SPDX-License-Identifier: MIT
 *
 * Functions of the application's that kernels call: what lower-host-calls leaves for emit-descriptors.
 */
#ifndef WEFT_PASSES_HOST_FUNCTIONS_H
#define WEFT_PASSES_HOST_FUNCTIONS_H

#include <llvm/IR/Function.h>

#include <string>
#include <vector>

namespace weft
{

/* Sizes in bytes. */
struct HostFunction {
	std::string name;
	uint32_t resultSize;
	uint64_t blockSize; /* of the arguments, one behind the other */
	std::vector<uint32_t> argumentSizes;

	uint64_t key() const; /* weft_host_function_key */
};

/* Adds it to the kernel's, unless it is there. */
void addHostFunction(llvm::Function &kernel, const HostFunction &function);
std::vector<HostFunction> hostFunctionsOf(const llvm::Function &kernel);

} // namespace weft

#endif
