/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.2, OpLine; NonSemantic.Shader.DebugInfo.100, DebugLine.
 */
#include "spirv/module/source_lines.h"

#include "ir/source_place.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

namespace weft::spirv
{

constexpr llvm::StringLiteral shaderDebugInfo = "NonSemantic.Shader.DebugInfo";
constexpr uint32_t debugSource = 35, debugLine = 103, debugNoLine = 104; /* of this set */

static bool isOfSet(const ModuleReader &module, const Instruction &instruction, uint32_t number)
{
	return instruction.opcode == spv::Op::OpExtInst && instruction.literal(1) == number &&
	       module.instructionSet(instruction, instruction.id(0)).starts_with(shaderDebugInfo);
}

bool isLine(const ModuleReader &module, const Instruction &instruction)
{
	return instruction.opcode == spv::Op::OpLine || isOfSet(module, instruction, debugLine);
}

bool isNoLine(const ModuleReader &module, const Instruction &instruction)
{
	return instruction.opcode == spv::Op::OpNoLine || isOfSet(module, instruction, debugNoLine);
}

bool isDebugSource(const ModuleReader &module, const Instruction &instruction)
{
	return isOfSet(module, instruction, debugSource);
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

LineTable::LineTable(ModuleReader &of) : module(of), builder(*of.module)
{
}

llvm::DIFile *LineTable::file(const SourceLine &line)
{
	llvm::DIFile *file = builder.createFile(llvm::sys::path::filename(line.file),
						llvm::sys::path::parent_path(line.file));
	if (!unit)
		unit = builder.createCompileUnit(
			llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_OpenCL), file, "weft",
			!module.options.optDisable, "", 0);
	return file;
}

void LineTable::describe(llvm::Function &function, llvm::StringRef name, const Instruction &line)
{
	SourceLine source = lineOf(module, line);
	llvm::DIFile *where = file(source);
	unsigned number = source.line;
	auto flags = llvm::DISubprogram::SPFlagDefinition;

	if (!module.options.optDisable)
		flags |= llvm::DISubprogram::SPFlagOptimized;
	function.setSubprogram(builder.createFunction(
		where, name, "", where, number,
		builder.createSubroutineType(builder.getOrCreateTypeArray({})), number,
		llvm::DINode::FlagZero, flags));
}

llvm::DILocation *LineTable::location(llvm::Function &function, const Instruction &line)
{
	llvm::DIScope *scope = function.getSubprogram();
	SourceLine source = lineOf(module, line);
	llvm::DIFile *where = file(source);

	if (where != scope->getFile())
		scope = builder.createLexicalBlockFile(scope, where);
	return llvm::DILocation::get(module.context, source.line, source.column, scope);
}

void LineTable::finish()
{
	if (!unit)
		return;
	module.module->addModuleFlag(llvm::Module::Warning, "Debug Info Version",
				     llvm::DEBUG_METADATA_VERSION);
	module.module->addModuleFlag(llvm::Module::Max, "Dwarf Version", 5);
	builder.finalize();
}

} // namespace weft::spirv
