/* SPDX-License-Identifier: MIT
 *
 * SPIR-V 3.42.2, OpLine.
 */
#include "spirv/source_lines.h"

#include "ir/source_place.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

namespace weft::spirv
{

void setPlace(const ModuleReader &module, const Instruction &line, llvm::GlobalObject &object)
{
	if (line.opcode != spv::Op::OpLine)
		return;
	const std::string place =
		(module.string(line, line.id(0)) + ":" + llvm::Twine(line.literal(1)) + ":" +
		 llvm::Twine(line.literal(2)))
			.str();
	if (auto *function = llvm::dyn_cast<llvm::Function>(&object))
		function->addFnAttr(placeAttribute, place);
	else if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&object))
		variable->addAttribute(placeAttribute, place);
}

LineTable::LineTable(ModuleReader &of) : module(of), builder(*of.module)
{
}

llvm::DIFile *LineTable::file(const Instruction &line)
{
	llvm::StringRef name = module.string(line, line.id(0));
	llvm::DIFile *file = builder.createFile(llvm::sys::path::filename(name),
						llvm::sys::path::parent_path(name));
	if (!unit)
		unit = builder.createCompileUnit(
			llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_OpenCL), file, "weft",
			!module.options.optDisable, "", 0);
	return file;
}

void LineTable::describe(llvm::Function &function, llvm::StringRef name, const Instruction &line)
{
	llvm::DIFile *where = file(line);
	unsigned number = line.literal(1);
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
	llvm::DIFile *where = file(line);

	if (where != scope->getFile())
		scope = builder.createLexicalBlockFile(scope, where);
	return llvm::DILocation::get(module.context, line.literal(1), line.literal(2), scope);
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
