/* SPDX-License-Identifier: MIT
 *
 * What Clang is told of one source: the language, the target and the options of the build. Its own defaults (extensions, features, macros
 * of the SPIR target, the host's header folders) are all switched off first.
 */
#ifndef WEFT_CLANG_ARGUMENTS_H
#define WEFT_CLANG_ARGUMENTS_H

#include "compiler.h"
#include "front_end/build_options.h"

#include "clang/Frontend/CompilerInvocation.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weft
{

/* Clang's arguments but for macros, and these; owns the strings that are not literals. */
class Arguments
{
      public:
	void add(const char *argument)
	{
		list.push_back(argument);
	}

	void add(const char *option, const std::string &value)
	{
		list.push_back(option);
		addJoined(value);
	}

	void addJoined(const std::string &argument)
	{
		owned.push_back(std::make_unique<std::string>(argument));
		list.push_back(owned.back()->c_str());
	}

	/* "NAME=VALUE" */
	void define(std::string macro)
	{
		macros.emplace_back(std::move(macro), false);
	}

	void undefine(std::string name)
	{
		macros.emplace_back(std::move(name), true);
	}

	/* What Clang makes of them; it writes into `log` what is wrong with them, and then it is NULL or was not made before. */
	std::shared_ptr<clang::CompilerInvocation>
	makeInvocation(clang::DiagnosticsEngine &diagnostics, const std::string &log) const;

      private:
	std::vector<const char *> list;
	std::vector<std::unique_ptr<std::string>> owned;
	std::vector<std::pair<std::string, bool>> macros; /* in order; whether it is undefined */
};

/* The newest OpenCL C version of the target, as __OPENCL_C_VERSION__ has it. */
unsigned versionOffered(const weft_target &target);

/* `fastFma`: fma() is an instruction. */
void addArguments(Arguments &arguments, const weft_compile_desc &desc, const BuildOptions &options,
		  bool fastFma);

} // namespace weft

#endif
