/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.2, OpLine; NonSemantic.Shader.DebugInfo.100, DebugLine.
 */
#include "spirv/module/source_lines.h"

#include "functions/source_place.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

namespace weft::spirv
{

static bool isDebug(const ModuleReader &module, const Instruction &instruction,
		    DebugInstruction::Number number)
{
	std::optional<DebugInstruction> debug = debugInstruction(module, instruction);
	return debug && debug->number == number;
}

bool isLine(const ModuleReader &module, const Instruction &instruction)
{
	return instruction.opcode == spv::Op::OpLine ||
	       isDebug(module, instruction, DebugInstruction::Line);
}

bool isNoLine(const ModuleReader &module, const Instruction &instruction)
{
	return instruction.opcode == spv::Op::OpNoLine ||
	       isDebug(module, instruction, DebugInstruction::NoLine);
}

SourceLine lineOf(const ModuleReader &module, const Instruction &line)
{
	if (line.opcode == spv::Op::OpLine)
		return {module.string(line, line.id(0)), line.literal(1), line.literal(2)};
	const auto number = [&](unsigned index) {
		return static_cast<unsigned>(module.constant(line, line.id(index)));
	};
	return {module.string(line, module.sourceFile(line, line.id(2))), number(3), number(5)};
}

void setPlace(const ModuleReader &module, const Instruction &line, llvm::GlobalObject &object)
{
	if (line.opcode == spv::Op::OpNop)
		return;
	SourceLine source = lineOf(module, line);
	const std::string place =
		(source.file + ":" + llvm::Twine(source.line) + ":" + llvm::Twine(source.column))
			.str();
	if (auto *function = llvm::dyn_cast<llvm::Function>(&object))
		function->addFnAttr(placeAttribute, place);
	else if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&object))
		variable->addAttribute(placeAttribute, place);
}

LineTable::LineTable(ModuleReader &of) : module(of), builder(*of.module), types(of, builder)
{
}

llvm::DIFile *LineTable::inUnit(llvm::DIFile *file)
{
	if (!unit)
		unit = builder.createCompileUnit(
			llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_OpenCL), file, "weft",
			!module.options.optDisable, "", 0);
	return file;
}

llvm::DIFile *LineTable::file(const SourceLine &line)
{
	return inUnit(builder.createFile(llvm::sys::path::filename(line.file),
					 llvm::sys::path::parent_path(line.file)));
}

/* What a DebugFunction says, or no more than a name and a line. */
void LineTable::describe(const FunctionInfo &info)
{
	const DebugInstruction *debug = module.debugFunctionOf(info.instruction.result);
	auto flags = llvm::DISubprogram::SPFlagDefinition;
	llvm::StringRef name =
		info.entryName.empty() ? module.name(info.instruction.result) : info.entryName;

	if (!module.options.optDisable)
		flags |= llvm::DISubprogram::SPFlagOptimized;
	llvm::DIFile *source = debug ? types.file(debug->ref(2)) : nullptr;
	if (source) {
		info.function->setSubprogram(
			builder.createFunction(inUnit(source), debug->string(module, 0), "", source,
					       static_cast<unsigned>(debug->number32(module, 3)),
					       types.functionType(debug->ref(1)),
					       static_cast<unsigned>(debug->number32(module, 8)),
					       llvm::DINode::FlagZero, flags));
		return;
	}
	if (info.line.opcode == spv::Op::OpNop)
		return;
	SourceLine line = lineOf(module, info.line);
	llvm::DIFile *where = file(line);
	info.function->setSubprogram(builder.createFunction(where, name, "", where, line.line,
							    types.functionType(0), line.line,
							    llvm::DINode::FlagZero, flags));
}

llvm::DILocation *LineTable::location(llvm::DILocalScope &within, const Instruction &line)
{
	llvm::DIScope *scope = &within;
	SourceLine source = lineOf(module, line);
	llvm::DIFile *where = file(source);

	if (where != scope->getFile())
		scope = builder.createLexicalBlockFile(scope, where);
	return llvm::DILocation::get(module.context, source.line, source.column, scope);
}

llvm::DILexicalBlock *LineTable::block(const DebugInstruction &debug, llvm::DILocalScope &parent)
{
	llvm::DIFile *source = types.file(debug.ref(0));
	const auto line = static_cast<unsigned>(debug.number32(module, 1));
	const auto column = static_cast<unsigned>(debug.number32(module, 2));

	return builder.createLexicalBlock(&parent, source ? source : parent.getFile(), line,
					  line ? column : 0);
}

llvm::DILocalVariable *LineTable::variable(const DebugInstruction &debug, llvm::DILocalScope &scope)
{
	const llvm::StringRef name = debug.string(module, 0);
	const SourcePlace place = types.placeOf(debug, scope.getFile());
	llvm::DIType *type = types.type(debug.ref(1));
	const uint64_t argument = debug.number32(module, 7);

	if (argument == 0 || argument > UINT16_MAX)
		return builder.createAutoVariable(&scope, name, place.file, place.line, type);
	return builder.createParameterVariable(&scope, name, static_cast<unsigned>(argument),
					       place.file, place.line, type);
}

void LineTable::place(llvm::Value &value, const PlacedVariable &placed, llvm::BasicBlock &block)
{
	llvm::DIExpression *expression =
		placed.isDereferenced
			? builder.createExpression({uint64_t{llvm::dwarf::DW_OP_deref}})
			: builder.createExpression();
	const auto *location = llvm::DILocation::get(module.context, placed.variable->getLine(), 0,
						     placed.variable->getScope());

	if (placed.isAddress)
		builder.insertDeclare(&value, placed.variable, expression, location, &block);
	else
		builder.insertDbgValueIntrinsic(&value, placed.variable, expression, location,
						block.end());
}

void LineTable::addVariable(const DebugInstruction &debug)
{
	const Id id = debug.ref(7);
	auto *variable = module.isValue(id) ? llvm::dyn_cast<llvm::GlobalVariable>(
						      module.value(debug.instruction, id).value)
					    : nullptr;
	llvm::DIFile *source = types.file(debug.ref(2));

	if (!variable || !source)
		return;
	inUnit(source);
	variable->addDebugInfo(builder.createGlobalVariableExpression(
		unit, debug.string(module, 0), debug.string(module, 6), source,
		static_cast<unsigned>(debug.number32(module, 3)), types.type(debug.ref(1)),
		variable->hasLocalLinkage()));
}

void LineTable::finish()
{
	if (!unit)
		return;
	module.module->addModuleFlag(llvm::Module::Warning, "Debug Info Version",
				     llvm::DEBUG_METADATA_VERSION);
	module.module->addModuleFlag(llvm::Module::Max, "Dwarf Version", 5);
	for (const auto &[id, debug] : module.debugInformation()) {
		if (debug.number == DebugInstruction::GlobalVariable)
			addVariable(debug);
	}
	types.finish();
	builder.finalize();
}

} // namespace weft::spirv
