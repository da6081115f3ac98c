/* SPDX-License-Identifier: MIT
 *
 * What is known of a module's ids.
 */
#include "spirv/module/module_reader.h"

namespace weft::spirv
{

const Type &ModuleReader::type(const Instruction &user, Id id) const
{
	const Type *type = types.lookup(id);
	if (!type)
		user.fail("the id " + llvm::Twine(id) + " is no type that is defined before");
	return *type;
}

Value ModuleReader::value(const Instruction &user, Id id) const
{
	Value value = values.lookup(id);
	if (!value.value)
		user.fail("the id " + llvm::Twine(id) + " is no value that is defined before");
	return value;
}

uint64_t ModuleReader::constant(const Instruction &user, Id id) const
{
	const auto *number = llvm::dyn_cast<llvm::ConstantInt>(value(user, id).value);
	if (!number)
		user.fail("the id " + llvm::Twine(id) + " is no integer constant");
	return number->getZExtValue();
}

llvm::StringRef ModuleReader::string(const Instruction &user, Id id) const
{
	auto found = strings.find(id);
	if (found == strings.end())
		user.fail("the id " + llvm::Twine(id) + " is no OpString");
	return found->second;
}

llvm::StringRef ModuleReader::instructionSet(const Instruction &user, Id id) const
{
	auto found = instructionSets.find(id);
	if (found == instructionSets.end())
		user.fail("the id " + llvm::Twine(id) + " is no OpExtInstImport");
	return found->second;
}

Type &ModuleReader::newType(const Instruction &instruction, Type::Kind kind)
{
	Type &type = typeList.emplace_back();

	type.kind = kind;
	type.id = instruction.result;
	type.instruction = instruction;
	types[instruction.result] = &type;
	return type;
}

void ModuleReader::define(const Instruction &instruction, llvm::Value *value)
{
	const Type &type = resultType(instruction);

	if (value->getType() != type.llvm)
		instruction.fail("the value has not the type of the result");
	values[instruction.result] = {value, &type};
}

const DebugInstruction *ModuleReader::debugInstructionOf(Id id) const
{
	auto found = debugInstructions.find(id);
	return found == debugInstructions.end() ? nullptr : &found->second;
}

const DebugInstruction *ModuleReader::debugFunctionOf(Id function) const
{
	const DebugInstruction *debug = debugInstructionOf(debugFunctions.lookup(function));
	return debug && debug->number == DebugInstruction::Function ? debug : nullptr;
}

FunctionInfo &ModuleReader::function(const Instruction &user, Id id)
{
	auto found = functions.find(id);
	if (found == functions.end())
		user.fail("the id " + llvm::Twine(id) + " is no function");
	FunctionInfo &info = found->second;
	if (!info.function)
		declareFunction(*this, info);
	return info;
}

llvm::ArrayRef<Instruction> ModuleReader::executionModes(Id function) const
{
	auto found = modes.find(function);
	if (found == modes.end())
		return {};
	return found->second;
}

void ModuleReader::multiply(const Instruction &user, uint64_t made)
{
	constexpr uint64_t most = uint64_t{1} << 20;

	multiplied += made;
	user.require(multiplied <= most,
		     "the module multiplies values to more than " + llvm::Twine(most));
}

llvm::FunctionCallee ModuleReader::declare(llvm::StringRef name, llvm::Type *result,
					   llvm::ArrayRef<llvm::Type *> parameters)
{
	auto *type = llvm::FunctionType::get(result, parameters, false);
	llvm::GlobalValue *there = module->getNamedValue(name);

	if (there) {
		auto *function = llvm::dyn_cast<llvm::Function>(there);
		if (!function || function->getFunctionType() != type)
			spirv::fail(Words::first, "the module has another thing of the name of the "
						  "built-in function " +
							  name);
		return function;
	}
	auto *function =
		llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, *module);
	function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
	function->setConvergent();
	function->setDoesNotThrow();
	return function;
}

} // namespace weft::spirv
