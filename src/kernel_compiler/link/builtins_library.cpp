// SPDX-License-Identifier: MIT
//
// Links the built-in functions that a module uses, from the library that is embedded in the compiler.
// The library is constant data that the build has made, so its numbers are trusted.
#include "link/builtins_library.h"

#include "embed.h"
#include "library_format.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <algorithm>
#include <set>
#include <vector>

using namespace llvm;

namespace
{

class Library
{
	const char *start = weft_builtins_begin;
	const auto &header() const
	{
		return *reinterpret_cast<const weft_builtins_header *>(start);
	}
	const weft_builtins_member *members() const
	{
		return reinterpret_cast<const weft_builtins_member *>(start +
								      sizeof(weft_builtins_header));
	}
	const weft_builtins_symbol *symbols() const
	{
		return reinterpret_cast<const weft_builtins_symbol *>(members() +
								      header().num_members);
	}

      public:
	bool valid() const
	{
		return header().magic == WEFT_BUILTINS_MAGIC &&
		       header().size ==
			       static_cast<uint64_t>(weft_builtins_end - weft_builtins_begin);
	}

	// The member that defines a function; -1 when none does.
	int64_t find(StringRef name) const
	{
		const weft_builtins_symbol *first = symbols(), *last = first + header().num_symbols;
		auto before = [this](const weft_builtins_symbol &symbol, StringRef wanted) {
			return StringRef(start + symbol.name) < wanted;
		};
		const weft_builtins_symbol *symbol = std::lower_bound(first, last, name, before);
		return symbol != last && name == start + symbol->name ? int64_t{symbol->member}
								      : -1;
	}

	MemoryBufferRef member(uint32_t index) const
	{
		const weft_builtins_member &place = members()[index];
		return MemoryBufferRef(StringRef(start + place.offset, place.size),
				       "built-in functions");
	}
};

// A call of a precompiled function.
bool isLeft(StringRef name, weft::Precompiled precompiled)
{
	if (precompiled == weft::Precompiled::None || !name.starts_with(WEFT_PRECOMPILED_PREFIX))
		return false;
	return precompiled == weft::Precompiled::All || !name.starts_with(WEFT_PRECOMPILED_WHOLE);
}

// Members that define what the module only declares, but for precompiled functions; the names go to `names`.
std::set<uint32_t> missing(const Module &module, const Library &library,
			   weft::Precompiled precompiled, std::vector<std::string> &names)
{
	std::set<uint32_t> members;
	for (const Function &function : module) {
		if (!function.isDeclaration() || function.isIntrinsic() ||
		    isLeft(function.getName(), precompiled))
			continue;
		int64_t member = library.find(function.getName());
		if (member < 0)
			continue;
		members.insert(static_cast<uint32_t>(member));
		names.push_back(function.getName().str());
	}
	return members;
}

// convert_half for a double or a vector of them, as Clang mangles it.
std::string halfConversionName(const Type *source)
{
	const auto *vector = dyn_cast<FixedVectorType>(source);
	if (!vector)
		return "_Z12convert_halfd";
	std::string count = std::to_string(vector->getNumElements());
	return "_Z" + std::to_string(12 + count.size()) + "convert_half" + count + "Dv" + count +
	       "_d";
}

// A cast of double to half has no instruction, and code generation would call a function that kernels do
// not have: it becomes a call of the built-in conversion, which rounds once too.
void callHalfConversions(Module &module)
{
	std::vector<FPTruncInst *> casts;
	for (Function &function : module)
		for (Instruction &instruction : instructions(function))
			if (auto *cast = dyn_cast<FPTruncInst>(&instruction);
			    cast && cast->getType()->getScalarType()->isHalfTy() &&
			    cast->getSrcTy()->getScalarType()->isDoubleTy())
				casts.push_back(cast);
	for (FPTruncInst *truncation : casts) {
		FunctionCallee conversion =
			module.getOrInsertFunction(halfConversionName(truncation->getSrcTy()),
						   truncation->getType(), truncation->getSrcTy());
		cast<Function>(conversion.getCallee())->setCallingConv(CallingConv::SPIR_FUNC);
		CallInst *call =
			IRBuilder<>(truncation).CreateCall(conversion, truncation->getOperand(0));
		call->setCallingConv(CallingConv::SPIR_FUNC);
		truncation->replaceAllUsesWith(call);
		truncation->eraseFromParent();
	}
}

} // namespace

bool weft::isBuiltin(const std::string &name)
{
	return Library().find(name) >= 0;
}

void weft::renameOwnBuiltins(Module &module)
{
	Library library;
	for (Function &function : module)
		if (!function.isDeclaration() &&
		    function.getCallingConv() != CallingConv::SPIR_KERNEL &&
		    library.find(function.getName()) >= 0)
			function.setName(function.getName() + ".own");
}

bool weft::linkBuiltins(Module &module, Precompiled precompiled, std::string &log)
{
	Library library;
	if (!library.valid()) {
		log += "error: the library of built-in functions is damaged\n";
		return false;
	}
	callHalfConversions(module);
	// Linked functions stay visible until the last member has found them.
	std::vector<std::string> linked;
	Linker linker(module);
	for (;;) {
		std::set<uint32_t> members = missing(module, library, precompiled, linked);
		if (members.empty())
			break;
		for (uint32_t index : members) {
			Expected<std::unique_ptr<Module>> member =
				getLazyBitcodeModule(library.member(index), module.getContext());
			if (!member) {
				log += "error: " + toString(member.takeError()) + "\n";
				return false;
			}
			if (linker.linkInModule(std::move(*member), Linker::LinkOnlyNeeded)) {
				log += "error: a built-in function is declared with a wrong type\n";
				return false;
			}
		}
	}
	for (const std::string &name : linked)
		if (Function *function = module.getFunction(name);
		    function && !function->isDeclaration())
			function->setLinkage(GlobalValue::InternalLinkage);
	return true;
}
