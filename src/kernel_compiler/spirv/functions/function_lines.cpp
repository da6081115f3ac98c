/* SPDX-License-Identifier: MIT
 *
 * What a function's body says to a debugger: the lines of its instructions, scopes, and where its variables are.
 */
#include "spirv/functions/function_reader.h"
#include "spirv/module/source_lines.h"

namespace weft::spirv
{

constexpr unsigned mostScopesWithin = 255, mostOperations = 4;

llvm::DILocalScope *FunctionReader::debugScope() const
{
	return currentScope ? currentScope : function.getSubprogram();
}

bool FunctionReader::readLine(const Instruction &instruction)
{
	bool isKnown = isLine(module, instruction);

	if (!isKnown && !isNoLine(module, instruction))
		return false;
	llvm::DILocalScope *scope = debugScope();
	if (!scope)
		return true;
	builder.SetCurrentDebugLocation(
		isKnown ? module.lineTable()->location(*scope, instruction)
			: llvm::DILocation::get(module.context, 0, 0, scope));
	return true;
}

/* NULL when the id is no scope of this function. */
llvm::DILocalScope *FunctionReader::debugScopeOf(Id id, unsigned depth)
{
	const DebugInstruction *debug = module.debugInstructionOf(id);

	if (!debug || depth > mostScopesWithin)
		return nullptr;
	if (debug->number == DebugInstruction::Function)
		return debug == described ? function.getSubprogram() : nullptr;
	if (debug->number == DebugInstruction::LexicalBlockDiscriminator)
		return debugScopeOf(debug->ref(2), depth + 1);
	if (debug->number != DebugInstruction::LexicalBlock)
		return nullptr;
	auto [place, isNew] = debugBlocks.try_emplace(id, nullptr);
	if (!isNew)
		return place->second;
	llvm::DILocalScope *parent = debugScopeOf(debug->ref(3), depth + 1);
	llvm::DILocalScope *made = parent ? module.lineTable()->block(*debug, *parent) : nullptr;
	debugBlocks[id] = made;
	return made;
}

/* Whether an expression adds nothing, or one dereference, to a place. Addresses of private memory have an address space that
 * compilers say behind it in three operations. */
static bool isPlain(const ModuleReader &module, Id id, bool &isDereferenced)
{
	enum : uint64_t { Deref = 0, Swap = 5, Xderef = 6, Constu = 8 };
	const DebugInstruction *expression = module.debugInstructionOf(id);
	llvm::SmallVector<uint64_t, mostOperations> numbers;

	if (!expression || expression->number != DebugInstruction::Expression ||
	    expression->operands.size() > mostOperations)
		return false;
	for (Id operand : expression->operands) {
		const DebugInstruction *operation = module.debugInstructionOf(operand);
		if (!operation || operation->number != DebugInstruction::Operation)
			return false;
		numbers.push_back(operation->number32(module, 0));
	}
	llvm::ArrayRef<uint64_t> rest = numbers;
	isDereferenced = !rest.empty() && rest.front() == Deref;
	if (isDereferenced)
		rest = rest.drop_front();
	return rest.empty() || rest.equals({Constu, Swap, Xderef});
}

void FunctionReader::readDebugVariable(const DebugInstruction &placing)
{
	const DebugInstruction *variable = module.debugInstructionOf(placing.ref(0));
	auto value = values.find(placing.ref(1));
	bool isDereferenced = false;
	const bool isAddress = placing.number == DebugInstruction::Declare;

	if (!variable || variable->number != DebugInstruction::LocalVariable ||
	    value == values.end() || !isPlain(module, placing.ref(2), isDereferenced) ||
	    (isAddress ? !value->second.type->is(Type::Pointer)
		       : value->second.type->is(Type::Void)))
		return;
	if (llvm::DILocalScope *scope = debugScopeOf(variable->ref(5), 0))
		module.lineTable()->place(*value->second.value,
					  {module.lineTable()->variable(*variable, *scope),
					   isAddress, isDereferenced},
					  *builder.GetInsertBlock());
}

bool FunctionReader::readDebug(const Instruction &instruction)
{
	if (!module.lineTable() || !function.getSubprogram())
		return false;
	std::optional<DebugInstruction> debug = debugInstruction(module, instruction);
	if (!debug)
		return false;
	switch (debug->number) {
	case DebugInstruction::Scope:
		currentScope = debugScopeOf(debug->ref(0), 0);
		break;
	case DebugInstruction::NoScope:
		currentScope = nullptr;
		break;
	case DebugInstruction::Declare:
	case DebugInstruction::DebugValue:
		if (current)
			readDebugVariable(*debug);
		return true;
	default:
		return true;
	}
	if (const llvm::DILocation *location = builder.getCurrentDebugLocation())
		builder.SetCurrentDebugLocation(llvm::DILocation::get(
			module.context, location->getLine(), location->getColumn(), debugScope()));
	return true;
}

} // namespace weft::spirv
