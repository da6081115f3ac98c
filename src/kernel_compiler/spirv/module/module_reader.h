/* SPDX-License-Identifier: MIT
 *
 * What is known of a module while it is read: what stands for each of its ids outside of functions, and its functions.
 */
#ifndef WEFT_SPIRV_MODULE_READER_H
#define WEFT_SPIRV_MODULE_READER_H

#include "front_end/build_options.h"
#include "spirv/binary/words.h"
#include "spirv/input.h"
#include "spirv/module/debug_instructions.h"
#include "spirv/module/decorations.h"
#include "spirv/module/types.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace weft::spirv
{

class LineTable;

struct Value {
	llvm::Value *value = nullptr;
	const Type *type = nullptr;
};

/* A function of the module. */
struct FunctionInfo {
	Instruction instruction; /* OpFunction */
	llvm::SmallVector<Instruction, 0> parameters;
	uint32_t body = 0; /* the word of its first OpLabel; 0: it is only declared */
	Instruction line;  /* the line that stands before it, or the first within; OpNop: none */
	unsigned entryPoints = 0;
	llvm::StringRef entryName; /* of one of these */
	const Type *type = nullptr;
	llvm::Function *function = nullptr; /* NULL: not asked for yet */
};

struct EntryPoint {
	Instruction instruction;
	Id function;
	llvm::StringRef name;
};

class ModuleReader
{
      public:
	/* All are borrowed. */
	ModuleReader(const SpirvInput &input, const BuildOptions &options,
		     llvm::LLVMContext &context, std::string &log);
	~ModuleReader();

	/* The whole module; fails when it breaks a rule. */
	std::unique_ptr<llvm::Module> read();

	const SpirvInput &input;
	const BuildOptions &options;
	llvm::LLVMContext &context;
	std::string &log;
	Words words;
	std::unique_ptr<llvm::Module> module;
	Decorations decorations;

	/* What an id is. Each fails when it is nothing of the kind, or not defined before `user`. */
	const Type &type(const Instruction &user, Id id) const;
	const Type &resultType(const Instruction &user) const
	{
		return type(user, user.type);
	}
	Value value(const Instruction &user, Id id) const;
	bool isValue(Id id) const
	{
		return values.contains(id);
	}
	/* The value of an integer constant. */
	uint64_t constant(const Instruction &user, Id id) const;
	llvm::StringRef string(const Instruction &user, Id id) const;
	/* Empty when the id is none. */
	llvm::StringRef stringOrNone(Id id) const
	{
		return strings.lookup(id);
	}
	/* The name of an imported set of instructions. */
	llvm::StringRef instructionSet(const Instruction &user, Id id) const;
	/* What OpName says; empty: nothing. */
	llvm::StringRef name(Id id) const
	{
		return names.lookup(id);
	}

	/* A type for the instruction's result, still to be filled. */
	Type &newType(const Instruction &instruction, Type::Kind kind);
	/* NULL when there is no type of this id yet. */
	Type *findType(Id id)
	{
		return types.lookup(id);
	}
	void define(const Instruction &instruction, llvm::Value *value);

	FunctionInfo &function(const Instruction &user, Id id);
	bool isCalled(Id function) const
	{
		return called.contains(function);
	}
	llvm::ArrayRef<Instruction> executionModes(Id function) const;
	llvm::ArrayRef<EntryPoint> entryPoints() const
	{
		return entries;
	}
	/* What stands behind "NAME." in an OpString; empty: nothing. */
	llvm::StringRef argumentList(llvm::StringRef list) const
	{
		return argumentLists.lookup(list);
	}
	bool hasCapability(spv::Capability capability) const
	{
		return capabilities.contains(static_cast<uint32_t>(capability));
	}
	/* Kernels of blocks, by the function that each calls and the bytes before its parameter (device_enqueue.cpp). */
	std::map<std::pair<Id, uint64_t>, llvm::Function *> blockKernels;
	/* Domains, scopes and lists of scopes of accesses (alias_scopes.cpp). */
	std::vector<Instruction> aliasDeclarations;
	llvm::DenseMap<Id, llvm::MDNode *> aliasNodes;
	llvm::MDNode *aliasNode(const Instruction &user, Id id) const
	{
		llvm::MDNode *node = aliasNodes.lookup(id);
		user.require(node,
			     "the id " + llvm::Twine(id) + " is no aliasing domain, scope or list");
		return node;
	}
	/* The name, an OpString, of the file that a DebugSource describes. */
	Id sourceFile(const Instruction &user, Id id) const
	{
		Id name = sourceFiles.lookup(id);
		user.require(name, "the id " + llvm::Twine(id) + " is no DebugSource");
		return name;
	}
	/* The same; 0 when it is none. */
	Id sourceFileOrNone(Id id) const
	{
		return sourceFiles.lookup(id);
	}
	/* Debug information, of which nothing is known without -g. NULL: the id is none. */
	const DebugInstruction *debugInstructionOf(Id id) const;
	/* All, by id. */
	const std::map<Id, DebugInstruction> &debugInformation() const
	{
		return debugInstructions;
	}
	/* What describes a function: a DebugFunction; NULL: nothing. */
	const DebugInstruction *debugFunctionOf(Id function) const;
	/* The bytes that the application gives for the constants of a SpecId; empty: none. */
	llvm::ArrayRef<uint8_t> specialised(uint32_t number) const
	{
		auto found = specialisations.find(number);
		return found == specialisations.end() ? llvm::ArrayRef<uint8_t>() : found->second;
	}
	/* NULL: the module is built without -g. */
	LineTable *lineTable() const
	{
		return lines.get();
	}
	/* The line in force where a variable outside of functions is read; OpNop: none. */
	const Instruction &line() const
	{
		return lastLine;
	}
	/* Pointers of the source have 32 bits. */
	bool isPhysical32() const
	{
		return addressing == spv::AddressingModel::Physical32;
	}

	/* Counts what an instruction makes beyond the words that it has. Fails when a module makes too much: a small one could
	 * ask for more than any machine has. */
	void multiply(const Instruction &user, uint64_t made);

	/* A built-in function, or another that other modules define. */
	llvm::FunctionCallee declare(llvm::StringRef name, llvm::Type *result,
				     llvm::ArrayRef<llvm::Type *> parameters);

	/* A value of storage class Input, which has the value of a built-in variable (builtin_variables.h). */
	bool isBuiltinVariable(Id id) const
	{
		return builtinVariables.contains(id);
	}
	void addBuiltinVariable(const Instruction &variable)
	{
		builtinVariables[variable.result] = variable;
	}
	const Instruction &builtinVariable(Id id) const
	{
		return builtinVariables.find(id)->second;
	}

	/* The instruction of a constant sampler; NULL: the id is none. */
	const Instruction *constantSampler(Id id) const
	{
		auto found = constantSamplers.find(id);
		return found == constantSamplers.end() ? nullptr : &found->second;
	}

      private:
	void noteDebug(const Instruction &instruction);
	bool noteLine(const Instruction &instruction, FunctionInfo *current);
	void index();
	void indexModule(const Instruction &instruction);
	void indexFunction(const Instruction &instruction, FunctionInfo *&current);
	void readGlobals();
	void readFunctions();

	std::deque<Type> typeList;
	llvm::DenseMap<Id, Type *> types;
	llvm::DenseMap<Id, Value> values;
	llvm::DenseMap<Id, llvm::StringRef> strings, instructionSets, names;
	llvm::StringMap<llvm::StringRef>
		argumentLists;      /* strings, by what stands before their last dot */
	llvm::DenseSet<Id> defined; /* all results, those of functions as well */
	llvm::DenseSet<Id> called;  /* functions that are called, or whose address is taken */
	std::unordered_map<uint32_t, llvm::ArrayRef<uint8_t>> specialisations; /* of any number */
	llvm::DenseSet<uint32_t> capabilities;
	llvm::DenseMap<Id, llvm::SmallVector<Instruction, 1>> modes;
	llvm::DenseMap<Id, Instruction> builtinVariables;
	llvm::DenseMap<Id, Instruction> constantSamplers;
	llvm::SmallVector<EntryPoint, 0> entries;
	llvm::MapVector<Id, FunctionInfo> functions;
	spv::AddressingModel addressing = spv::AddressingModel::Physical64;
	bool hasMemoryModel = false;
	uint64_t multiplied = 0;
	llvm::DenseMap<Id, Id> sourceFiles; /* the strings that name them */
	std::map<Id, DebugInstruction> debugInstructions;
	llvm::DenseMap<Id, Id> debugFunctions; /* by the functions that they describe */
	Instruction lastLine;
	std::unique_ptr<LineTable> lines;
	uint32_t firstFunction = 0; /* its word; 0: none */
};

/* Makes a function without its body (functions.cpp). */
void declareFunction(ModuleReader &module, FunctionInfo &info);

/* A stage of reading what is outside of functions: false when the instruction is another stage's. */
bool readType(ModuleReader &module, const Instruction &instruction);
bool readConstant(ModuleReader &module, const Instruction &instruction);
/* An operation on constants, made as in a function (functions/constant_operations.cpp). */
void readConstantOperation(ModuleReader &module, const Instruction &instruction);
/* The null of a type. Fails for one whose null LLVM does not know. */
llvm::Constant *nullOf(const Instruction &instruction, const Type &type);
bool readGlobalVariable(ModuleReader &module, const Instruction &instruction);
/* Keeps a declaration for makeAliasScopes, which comes behind the last one. */
bool noteAliasScope(ModuleReader &module, const Instruction &instruction);
void makeAliasScopes(ModuleReader &module);

/* Capabilities, extensions and memory models that are offered. */
void checkCapability(const Instruction &instruction);
void checkExtension(const Instruction &instruction);

} // namespace weft::spirv

#endif
