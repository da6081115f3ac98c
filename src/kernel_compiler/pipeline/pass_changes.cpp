/* SPDX-License-Identifier: MIT
 *
 * The text has what a hash of the instructions alone would miss: attributes and metadata.
 */
#include "pipeline/pass_changes.h"

#include <llvm/ADT/Any.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Support/xxhash.h>

extern "C" {
#include "log.h"
}

using namespace llvm;

namespace weft
{

namespace
{

uint64_t textHash(const Module &module)
{
	SmallString<0> text;
	raw_svector_ostream out(text);

	module.print(out, nullptr);
	return xxh3_64bits(text);
}

const Function *functionOf(const Any &unit)
{
	const auto *function = any_cast<const Function *>(&unit);
	return function ? *function : nullptr;
}

const Module &moduleOf(const Any &unit)
{
	const Function *function = functionOf(unit);
	return function ? *function->getParent() : **any_cast<const Module *>(&unit);
}

bool isOurs(StringRef className)
{
	return className.starts_with("weft::");
}

} // namespace

PassChanges::PassChanges(PassInstrumentationCallbacks &callbacks)
{
	if (!weft_log_enabled(WEFT_LOG_DEBUG, "passes"))
		return;
	callbacks.registerBeforeNonSkippedPassCallback([this](StringRef className, Any unit) {
		if (isOurs(className))
			before = textHash(moduleOf(unit));
	});
	callbacks.registerAfterPassCallback(
		[this, &callbacks](StringRef className, Any unit, const PreservedAnalyses &) {
			if (!isOurs(className) || textHash(moduleOf(unit)) == before)
				return;
			const Function *function = functionOf(unit);
			weft_log(WEFT_LOG_DEBUG, "passes", "%s changes %s",
				 callbacks.getPassNameForClassName(className).str().c_str(),
				 function ? function->getName().str().c_str() : "the module");
		});
}

} // namespace weft
