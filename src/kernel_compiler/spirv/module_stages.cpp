/* SPDX-License-Identifier: MIT
 *
 * Reads a module twice: first what it says about its ids, and where its functions are; then types, constants and variables in
 * their order, and the functions (SPIR-V 2.4, the logical layout of a module).
 */
#include "spirv/functions/function_reader.h"
#include "spirv/functions/functions.h"
#include "spirv/module/module_reader.h"
#include "spirv/module/source_lines.h"

namespace weft::spirv
{

/* As Clang has it for spir64, to which docs/kernel_ir.md refers. */
constexpr char triple[] = "spir64-unknown-unknown";
constexpr char layout[] =
	"e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1";

ModuleReader::ModuleReader(const SpirvInput &from, const BuildOptions &buildOptions,
			   llvm::LLVMContext &llvmContext, std::string &text)
    : input(from), options(buildOptions), context(llvmContext), log(text),
      words(from.words, from.bytes),
      module(std::make_unique<llvm::Module>("source.spv", llvmContext))
{
	module->setTargetTriple(llvm::Triple(triple));
	module->setDataLayout(layout);
	for (const SpirvSpecialisation &row : input.specialisations)
		specialisations[row.id] = row.value;
}

void ModuleReader::indexModule(const Instruction &instruction)
{
	if (decorations.read(instruction))
		return;
	switch (instruction.opcode) {
	case spv::Op::OpCapability:
		checkCapability(instruction);
		capabilities.insert(instruction.literal(0));
		return;
	case spv::Op::OpExtension:
		checkExtension(instruction);
		return;
	case spv::Op::OpExtInstImport:
		instructionSets[instruction.result] = instruction.string(0);
		return;
	case spv::Op::OpMemoryModel:
		instruction.require(!hasMemoryModel, "a module has one memory model");
		hasMemoryModel = true;
		addressing = instruction.enumerant<spv::AddressingModel>(0);
		instruction.require(addressing == spv::AddressingModel::Physical32 ||
					    addressing == spv::AddressingModel::Physical64,
				    "the addressing model is not Physical32 or Physical64");
		instruction.require(instruction.enumerant<spv::MemoryModel>(1) ==
					    spv::MemoryModel::OpenCL,
				    "the memory model is not OpenCL");
		return;
	case spv::Op::OpEntryPoint:
		instruction.require(instruction.enumerant<spv::ExecutionModel>(0) ==
					    spv::ExecutionModel::Kernel,
				    "the execution model is not Kernel");
		entries.push_back({instruction, instruction.id(1), instruction.string(2)});
		return;
	case spv::Op::OpExecutionMode:
	case spv::Op::OpExecutionModeId:
		modes[instruction.id(0)].push_back(instruction);
		return;
	case spv::Op::OpString:
		strings[instruction.result] = instruction.string(0);
		argumentLists.insert(instruction.string(0).rsplit('.'));
		return;
	case spv::Op::OpName:
		names[instruction.id(0)] = instruction.string(1);
		return;
	case spv::Op::OpConstantFunctionPointerINTEL:
		called.insert(instruction.id(0));
		return;
	default:
		return;
	}
}

/* The operand that is a function which the instruction calls, or of which it makes a block. */
static std::optional<unsigned> calleeOperand(spv::Op opcode)
{
	switch (opcode) {
	case spv::Op::OpFunctionCall:
	case spv::Op::OpGetKernelWorkGroupSize:
	case spv::Op::OpGetKernelPreferredWorkGroupSizeMultiple:
	case spv::Op::OpGetKernelMaxNumSubgroups:
		return 0;
	case spv::Op::OpGetKernelNDrangeSubGroupCount:
	case spv::Op::OpGetKernelNDrangeMaxSubGroupSize:
	case spv::Op::OpGetKernelLocalSizeForSubgroupCount:
		return 1;
	case spv::Op::OpEnqueueKernel:
		return 6;
	default:
		return std::nullopt;
	}
}

void ModuleReader::indexFunction(const Instruction &instruction, FunctionInfo *&current)
{
	switch (instruction.opcode) {
	case spv::Op::OpFunction:
		instruction.require(!current, "the function before has no end");
		current = &functions[instruction.result];
		current->instruction = instruction;
		current->line = lastLine;
		return;
	case spv::Op::OpFunctionEnd:
		instruction.require(current, "no function ends here");
		lastLine = Instruction();
		current = nullptr;
		return;
	case spv::Op::OpFunctionParameter:
		instruction.require(current && !current->body,
				    "parameters stand at a function's beginning");
		current->parameters.push_back(instruction);
		return;
	default:
		if (std::optional<unsigned> callee = calleeOperand(instruction.opcode))
			called.insert(instruction.id(*callee));
		if (current && !current->body && instruction.opcode == spv::Op::OpLabel)
			current->body = instruction.word;
		instruction.require((current && current->body) ||
					    instruction.opcode == spv::Op::OpExtInst,
				    "it stands in no block");
	}
}

/* Keeps debug information, which functions and other debug information refer to by id. */
void ModuleReader::noteDebug(const Instruction &instruction)
{
	constexpr unsigned functionOperand = 9;
	std::optional<DebugInstruction> debug = debugInstruction(*this, instruction);

	if (!debug)
		return;
	if (debug->number == DebugInstruction::Source)
		sourceFiles[instruction.result] = debug->ref(0);
	if (!options.debugInfo)
		return;
	if (debug->number == DebugInstruction::Function && debug->hasLiterals)
		debugFunctions[debug->ref(functionOperand)] = instruction.result;
	else if (debug->number == DebugInstruction::FunctionDefinition)
		debugFunctions[debug->ref(1)] = debug->ref(0);
	debugInstructions.emplace(instruction.result, *debug);
}

/* Keeps the line that is in force, and a function's first. */
bool ModuleReader::noteLine(const Instruction &instruction, FunctionInfo *current)
{
	if (isNoLine(*this, instruction))
		lastLine = Instruction();
	else if (isLine(*this, instruction))
		lastLine = instruction;
	else
		return false;
	if (current && current->line.opcode == spv::Op::OpNop)
		current->line = lastLine;
	return true;
}

/* What the module says about its ids, wherever it says so. */
void ModuleReader::index()
{
	Instruction instruction;
	FunctionInfo *current = nullptr;

	for (uint32_t word = Words::first; words.next(word, instruction);) {
		if (instruction.result && !defined.insert(instruction.result).second)
			instruction.fail("the id " + llvm::Twine(instruction.result) +
					 " is defined twice");
		if (!firstFunction && instruction.opcode == spv::Op::OpFunction)
			firstFunction = instruction.word;
		noteDebug(instruction);
		if (noteLine(instruction, current))
			continue;
		if (firstFunction)
			indexFunction(instruction, current);
		else
			indexModule(instruction);
	}
	if (current)
		current->instruction.fail("this function has no end");
	if (!hasMemoryModel)
		spirv::fail(Words::first, "the module has no OpMemoryModel");
	if (!hasCapability(spv::Capability::Kernel))
		spirv::fail(Words::first, "the module does not declare the capability Kernel");
}

/* Whether `index` has read all that there is to an instruction outside of functions. */
static bool isIndexed(const Instruction &instruction)
{
	switch (instruction.opcode) {
	case spv::Op::OpNop:
	case spv::Op::OpCapability:
	case spv::Op::OpExtension:
	case spv::Op::OpExtInstImport:
	case spv::Op::OpMemoryModel:
	case spv::Op::OpEntryPoint:
	case spv::Op::OpExecutionMode:
	case spv::Op::OpExecutionModeId:
	case spv::Op::OpString:
	case spv::Op::OpName:
	case spv::Op::OpMemberName:
	case spv::Op::OpSource:
	case spv::Op::OpSourceContinued:
	case spv::Op::OpSourceExtension:
	case spv::Op::OpModuleProcessed:
		return true;
	default:
		return isAnnotation(instruction.opcode);
	}
}

void ModuleReader::readGlobals()
{
	Instruction instruction;

	lastLine = Instruction();
	for (uint32_t word = Words::first;
	     word != firstFunction && words.next(word, instruction);) {
		if (noteLine(instruction, nullptr) || isIndexed(instruction) ||
		    readType(*this, instruction) || readConstant(*this, instruction) ||
		    readGlobalVariable(*this, instruction) || noteAliasScope(*this, instruction))
			continue;
		if (instruction.opcode == spv::Op::OpConstantSampler) {
			constantSamplers[instruction.result] = instruction;
			continue;
		}
		/* Debug information and the like. */
		if (instruction.opcode != spv::Op::OpExtInst)
			instruction.fail("this operation cannot stand outside of functions, or is "
					 "not offered");
	}
	makeAliasScopes(*this);
}

void ModuleReader::readFunctions()
{
	for (EntryPoint &entry : entries) {
		FunctionInfo &info = function(entry.instruction, entry.function);
		entry.instruction.require(info.body, "the entry point has no body");
		info.entryPoints++;
		info.entryName = entry.name;
	}
	for (auto &[id, info] : functions) {
		function(info.instruction, id);
		setPlace(*this, info.line, *info.function);
		if (info.body)
			FunctionReader(*this, *info.function).readBody(info);
	}
	for (const EntryPoint &entry : entries)
		makeKernel(*this, entry, function(entry.instruction, entry.function));
}

ModuleReader::~ModuleReader() = default;

std::unique_ptr<llvm::Module> ModuleReader::read()
{
	index();
	if (options.debugInfo)
		lines = std::make_unique<LineTable>(*this);
	readGlobals();
	readFunctions();
	if (lines)
		lines->finish();
	return std::move(module);
}

} // namespace weft::spirv
