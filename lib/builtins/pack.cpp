// SPDX-License-Identifier: MIT
//
// weft-pack-builtins OUTPUT MODULE…: packs bitcode modules into one file (library_format.h). Every
// function is stripped of what ties it to a target, and marked alwaysinline unless it is large. Casts of
// vectors of floats saturate. A module with many functions becomes several members, each with a few of
// them: reading a member costs by the functions it lists, used or not.
#include "library_format.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <map>
#include <set>
#include <string>
#include <vector>

using namespace llvm;

namespace
{

// Instructions, calls counted with what they would bring in, above which a function stays a call.
constexpr size_t large = 1200;
constexpr size_t cost_of_unknown_call = 20;
constexpr size_t functions_per_member = 12;

struct Packer {
	std::vector<SmallVector<char, 0>> members;
	std::map<std::string, uint32_t> symbols;
};

size_t flattenedSize(const Function &function, std::map<const Function *, size_t> &known)
{
	auto [place, fresh] = known.try_emplace(&function, 0);
	if (!fresh)
		return place->second;
	size_t size = 0;
	for (const BasicBlock &block : function)
		for (const Instruction &instruction : block) {
			size++;
			const auto *call = dyn_cast<CallInst>(&instruction);
			const Function *callee = call ? call->getCalledFunction() : nullptr;
			if (!callee || callee->isIntrinsic())
				continue;
			size += callee->isDeclaration() ? cost_of_unknown_call
							: flattenedSize(*callee, known);
		}
	return known[&function] = size;
}

void dropTargetAttributes(Function &function)
{
	AttributeMask mask;
	for (Attribute attribute : function.getAttributes().getFnAttrs())
		if (attribute.isStringAttribute())
			mask.addAttribute(attribute.getKindAsString());
	function.removeFnAttrs(mask);
	function.setDSOLocal(false);
}

// What -fno-strict-float-cast-overflow makes of casts of scalars, and Clang 22 does not of those of vectors.
void saturateConversions(Function &function)
{
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		if (!isa<FPToSIInst, FPToUIInst>(instruction) ||
		    !instruction.getType()->isVectorTy())
			continue;
		Value *operand = instruction.getOperand(0);
		IRBuilder<> builder(&instruction);
		instruction.replaceAllUsesWith(builder.CreateIntrinsic(
			isa<FPToSIInst>(instruction) ? Intrinsic::fptosi_sat
						     : Intrinsic::fptoui_sat,
			{instruction.getType(), operand->getType()}, {operand}));
		instruction.eraseFromParent();
	}
}

void prepare(Module &module)
{
	while (!module.named_metadata_empty())
		module.eraseNamedMetadata(&*module.named_metadata_begin());
	module.setSourceFileName("");
	std::map<const Function *, size_t> known;
	for (Function &function : module) {
		dropTargetAttributes(function);
		saturateConversions(function);
		if (!function.isDeclaration() && !function.hasFnAttribute(Attribute::NoInline) &&
		    flattenedSize(function, known) <= large)
			function.addFnAttr(Attribute::AlwaysInline);
	}
}

std::unique_ptr<Module> readModule(StringRef path, LLVMContext &context)
{
	auto buffer = MemoryBuffer::getFile(path);
	if (!buffer) {
		errs() << path << ": " << buffer.getError().message() << "\n";
		return nullptr;
	}
	Expected<std::unique_ptr<Module>> module = parseBitcodeFile(**buffer, context);
	if (!module) {
		errs() << path << ": " << toString(module.takeError()) << "\n";
		return nullptr;
	}
	return std::move(*module);
}

// Erases declarations and local definitions that nothing uses, until none is left.
void eraseUnused(Module &module)
{
	auto unused = [](const GlobalValue &value) {
		return value.use_empty() && (value.isDeclaration() || value.hasLocalLinkage());
	};
	for (bool again = true; again;) {
		again = false;
		for (Function &function : make_early_inc_range(module))
			if (unused(function)) {
				function.eraseFromParent();
				again = true;
			}
		for (GlobalVariable &variable : make_early_inc_range(module.globals()))
			if (unused(variable)) {
				variable.eraseFromParent();
				again = true;
			}
	}
}

// A member with the chosen functions and the local ones that they need.
SmallVector<char, 0> makeMember(const Module &module, const std::set<const GlobalValue *> &chosen)
{
	ValueToValueMapTy map;
	std::unique_ptr<Module> member = CloneModule(module, map, [&](const GlobalValue *value) {
		return value->hasLocalLinkage() || chosen.count(value) != 0;
	});
	eraseUnused(*member);
	SmallVector<char, 0> bytes;
	BitcodeWriter writer(bytes);
	writer.writeModule(*member);
	writer.writeStrtab();
	return bytes;
}

bool addModule(Packer &packer, StringRef path)
{
	LLVMContext context;
	std::unique_ptr<Module> module = readModule(path, context);
	if (!module)
		return false;
	prepare(*module);
	std::set<const GlobalValue *> chosen;
	auto flush = [&] {
		packer.members.push_back(makeMember(*module, chosen));
		chosen.clear();
	};
	for (const Function &function : *module) {
		if (function.isDeclaration() || function.hasLocalLinkage())
			continue;
		auto index = static_cast<uint32_t>(packer.members.size());
		if (!packer.symbols.emplace(function.getName().str(), index).second) {
			errs() << path << ": " << function.getName() << " is defined twice\n";
			return false;
		}
		chosen.insert(&function);
		if (chosen.size() == functions_per_member)
			flush();
	}
	if (!chosen.empty())
		flush();
	return true;
}

size_t aligned(size_t offset)
{
	return (offset + WEFT_BUILTINS_ALIGNMENT - 1) / WEFT_BUILTINS_ALIGNMENT *
	       WEFT_BUILTINS_ALIGNMENT;
}

template <typename Type> void append(std::string &text, const Type &value)
{
	text.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

// The whole file. Places are counted before anything is written.
std::string serialise(const Packer &packer)
{
	size_t names = sizeof(weft_builtins_header) +
		       packer.members.size() * sizeof(weft_builtins_member) +
		       packer.symbols.size() * sizeof(weft_builtins_symbol);
	std::string symbols, strings, places, contents;
	for (const auto &[name, member] : packer.symbols) {
		append(symbols,
		       weft_builtins_symbol{static_cast<uint32_t>(names + strings.size()), member});
		strings += name;
		strings += '\0';
	}
	size_t offset = aligned(names + strings.size());
	strings.resize(offset - names);
	for (const auto &bytes : packer.members) {
		append(places, weft_builtins_member{static_cast<uint32_t>(offset + contents.size()),
						    static_cast<uint32_t>(bytes.size())});
		contents.append(bytes.begin(), bytes.end());
		contents.resize(aligned(contents.size()));
	}
	weft_builtins_header header = {};
	header.magic = WEFT_BUILTINS_MAGIC;
	header.num_members = static_cast<uint32_t>(packer.members.size());
	header.num_symbols = static_cast<uint32_t>(packer.symbols.size());
	header.size = offset + contents.size();
	std::string file;
	append(file, header);
	return file + places + symbols + strings + contents;
}

} // namespace

int main(int argc, char **argv)
{
	if (argc < 3) {
		errs() << "usage: weft-pack-builtins OUTPUT MODULE...\n";
		return 2;
	}
	Packer packer;
	for (int i = 2; i < argc; i++)
		if (!addModule(packer, argv[i]))
			return 1;
	std::error_code error;
	raw_fd_ostream output(argv[1], error);
	if (!error) {
		output << serialise(packer);
		output.close();
		error = output.error();
	}
	if (error) {
		errs() << argv[1] << ": " << error.message() << "\n";
		return 1;
	}
	return 0;
}
