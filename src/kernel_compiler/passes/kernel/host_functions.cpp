/* SPDX-License-Identifier: MIT
 *
 * An attribute of the kernel: "result block argument argument …:name;" for each function, with sizes in bytes. Names in C++ may have spaces.
 */
#include "kernel/host_functions.h"

#include "kernel_abi.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr char functionsAttribute[] = "weft-host-functions";

std::string rowOf(const HostFunction &function)
{
	std::string row =
		std::to_string(function.resultSize) + " " + std::to_string(function.blockSize);
	for (uint32_t size : function.argumentSizes)
		row += " " + std::to_string(size);
	return row + ":" + function.name;
}

uint32_t numberOf(StringRef text)
{
	uint32_t number = 0;
	text.getAsInteger(10, number);
	return number;
}

HostFunction readRow(StringRef row)
{
	const auto [sizes, name] = row.split(':');
	SmallVector<StringRef, 8> words;
	sizes.split(words, ' ');
	HostFunction function = {name.str(), numberOf(words[0]), numberOf(words[1]), {}};
	for (StringRef word : drop_begin(words, 2))
		function.argumentSizes.push_back(numberOf(word));
	return function;
}

} // namespace

uint64_t HostFunction::key() const
{
	const weft_host_function_desc desc = {name.c_str(), argumentSizes.data(),
					      uint32_t(argumentSizes.size()), resultSize,
					      blockSize};
	return weft_host_function_key(&desc);
}

void addHostFunction(Function &kernel, const HostFunction &function)
{
	const std::string row = rowOf(function);
	SmallVector<StringRef, 4> parts;
	kernel.getFnAttribute(functionsAttribute).getValueAsString().split(parts, ';', -1, false);
	if (is_contained(parts, row))
		return;
	parts.push_back(row);
	kernel.addFnAttr(functionsAttribute, join(parts, ";"));
}

std::vector<HostFunction> hostFunctionsOf(const Function &kernel)
{
	std::vector<HostFunction> functions;
	SmallVector<StringRef, 4> parts;
	kernel.getFnAttribute(functionsAttribute).getValueAsString().split(parts, ';', -1, false);
	for (StringRef row : parts)
		functions.push_back(readRow(row));
	return functions;
}

} // namespace weft
