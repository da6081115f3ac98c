/* SPDX-License-Identifier: MIT
 *
 * What a kernel needs is what its entry point leads to. Entry points' are the only names that units and descriptors share;
 * the linker alone sees them. None is a name of the system's (emit-descriptors).
 */
#include "code_generation/codegen_units.h"

#include "kernel/quick_code.h"
#include "kernel_abi.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace weft
{

namespace
{

/* In instructions after our passes; generating code takes a tenth of a millisecond for each, more or less, and if it is made quickly a
 * tenth of that. */
struct LeastSizes {
	uint64_t program; /* that is worth the 5 ms */
	uint64_t alone;   /* the same of one unit, with which nothing else is made */
	uint64_t unit;
};
constexpr LeastSizes fullSizes = {500, 1000, 300}, quickSizes = {5000, 10000, 1000};
constexpr uint64_t mostCopied = 100; /* of a function that several units have */

using Needs = SetVector<GlobalValue *>;

/* What a structure of kernel_abi.h has at the offset of one of its fields. */
Constant *fieldAt(const Module &module, const Constant &structure, uint64_t offset)
{
	auto *type = cast<StructType>(structure.getType());
	const StructLayout *layout = module.getDataLayout().getStructLayout(type);
	return structure.getAggregateElement(layout->getElementContainingOffset(offset));
}

/* The descriptor of each kernel. */
SmallVector<ConstantStruct *, 16> rowsOf(const Module &module)
{
	SmallVector<ConstantStruct *, 16> rows;
	const GlobalVariable *program = module.getNamedGlobal(WEFT_PROGRAM_SYMBOL);
	if (!program || !program->hasInitializer())
		return rows;
	auto *table = dyn_cast<GlobalVariable>(
		fieldAt(module, *program->getInitializer(), offsetof(weft_program_desc, kernels)));
	if (!table || !table->hasInitializer())
		return rows;
	for (Use &row : cast<ConstantArray>(table->getInitializer())->operands())
		rows.push_back(cast<ConstantStruct>(row));
	return rows;
}

Function *entryOf(const ConstantStruct &row)
{
	return cast<Function>(row.getOperand(2));
}

void addNeeds(Value *value, Needs &needs, SmallPtrSetImpl<Value *> &seen)
{
	SmallVector<Value *, 16> work = {value};
	while (!work.empty()) {
		Value *next = work.pop_back_val();
		if (auto *global = dyn_cast<GlobalValue>(next)) {
			needs.insert(global);
			continue;
		}
		auto *constant = dyn_cast<Constant>(next);
		if (constant && constant->getNumOperands() && seen.insert(constant).second)
			work.append(constant->op_begin(), constant->op_end());
	}
}

/* All functions and variables that `roots` refer to, directly or through others, and `roots` themselves. */
Error findNeeds(ArrayRef<GlobalValue *> roots, Needs &needs)
{
	SmallPtrSet<Value *, 32> seen;
	needs.insert(roots.begin(), roots.end());
	for (size_t i = 0; i < needs.size(); i++) {
		if (auto *variable = dyn_cast<GlobalVariable>(needs[i])) {
			if (variable->hasInitializer())
				addNeeds(variable->getInitializer(), needs, seen);
			continue;
		}
		auto &function = *cast<Function>(needs[i]);
		if (Error error = function.materialize())
			return error;
		for (Instruction &instruction : instructions(function)) {
			for (Value *operand : instruction.operands())
				addNeeds(operand, needs, seen);
		}
	}
	return Error::success();
}

/* Errors in assembler statements show only in code generation, and must be errors of the build. */
bool hasAssembler(const Module &module)
{
	if (!module.getModuleInlineAsm().empty())
		return true;
	for (const Function &function : module) {
		for (const Instruction &instruction : instructions(function)) {
			auto *call = dyn_cast<CallBase>(&instruction);
			if (call && call->isInlineAsm())
				return true;
		}
	}
	return false;
}

/* Kernels enqueue blocks by their place in the table of the program, and the loader runs its hooks: their code must be there then. */
bool hasOtherRows(const Module &module)
{
	const Constant &program = *module.getNamedGlobal(WEFT_PROGRAM_SYMBOL)->getInitializer();
	return !fieldAt(module, program, offsetof(weft_program_desc, num_blocks))->isNullValue() ||
	       !fieldAt(module, program, offsetof(weft_program_desc, hooks))->isNullValue();
}

uint64_t sizeOf(const GlobalValue &value)
{
	auto *function = dyn_cast<Function>(&value);
	return function ? function->getInstructionCount() : 0;
}

/* Whether there may only be one of it. */
bool isShared(const GlobalValue &value)
{
	if (auto *variable = dyn_cast<GlobalVariable>(&value))
		return !variable->isConstant();
	return sizeOf(value) > mostCopied;
}

/* Joins small groups of kernels, in the order of their first kernels, to units of some size. */
CodegenUnits join(const EquivalenceClasses<uint32_t> &groups, ArrayRef<Needs> needs,
		  uint64_t leastUnit)
{
	CodegenUnits units;
	DenseMap<uint32_t, uint32_t> unitOf; /* by a group's leader */
	DenseSet<const GlobalValue *> counted;
	uint64_t size = leastUnit; /* of the last unit so far */
	for (uint32_t row = 0; row < needs.size(); row++) {
		auto [place, isNew] = unitOf.insert({groups.getLeaderValue(row), units.count - 1});
		if (isNew && size >= leastUnit) {
			place->second = units.count++;
			size = 0;
		}
		units.ofKernel.push_back(place->second);
		for (const GlobalValue *value : needs[row])
			size += counted.insert(value).second ? sizeOf(*value) : 0;
	}
	return units;
}

/* Removes what the unit does not need; nothing that stays refers to it. */
void eraseUnneeded(Module &module, function_ref<bool(GlobalValue &)> isNeeded)
{
	for (GlobalVariable &variable : module.globals()) {
		if (!isNeeded(variable))
			variable.setInitializer(nullptr);
	}
	for (Function &function : module) {
		if (!isNeeded(function))
			function.deleteBody();
	}
	for (GlobalValue &value :
	     make_early_inc_range(concat<GlobalValue>(module.globals(), module))) {
		value.removeDeadConstantUsers();
		if (!isNeeded(value) && value.use_empty())
			value.eraseFromParent();
	}
}

} // namespace

CodegenUnits divideKernels(const Module &module)
{
	SmallVector<ConstantStruct *, 16> rows = rowsOf(module);
	EquivalenceClasses<uint32_t> groups;
	DenseMap<const GlobalValue *, uint32_t> users;
	SmallVector<Needs, 16> needs(rows.size());
	const LeastSizes &least = isQuick(module) ? quickSizes : fullSizes;
	uint64_t size = 0;
	for (const Function &function : module)
		size += sizeOf(function);
	if (rows.empty() || size < least.program || hasAssembler(module) || hasOtherRows(module))
		return {};
	for (uint32_t row = 0; row < rows.size(); row++) {
		groups.insert(row);
		cantFail(findNeeds({entryOf(*rows[row])}, needs[row]));
		for (const GlobalValue *value : needs[row]) {
			if (isShared(*value))
				groups.unionSets(users.insert({value, row}).first->second, row);
		}
	}
	CodegenUnits units = join(groups, needs, least.unit);
	return units.count > 1 || size >= least.alone ? units : CodegenUnits();
}

void keepDescriptors(Module &module)
{
	SmallVector<ConstantStruct *, 16> rows = rowsOf(module);
	Needs needs;
	for (ConstantStruct *row : rows) {
		Function &entry = *entryOf(*row);
		entry.deleteBody();
		entry.setLinkage(GlobalValue::ExternalWeakLinkage);
		entry.setVisibility(GlobalValue::HiddenVisibility);
	}
	cantFail(findNeeds({module.getNamedGlobal(WEFT_PROGRAM_SYMBOL)}, needs));
	eraseUnneeded(module, [&](GlobalValue &value) { return needs.contains(&value); });
}

Error keepNeeded(Module &module, ArrayRef<GlobalValue *> roots)
{
	Needs needs;
	if (Error error = findNeeds(roots, needs))
		return error;
	for (Function &function : module) {
		if (!needs.contains(&function))
			function.deleteBody();
	}
	if (Error error = module.materializeAll())
		return error;
	eraseUnneeded(module, [&](GlobalValue &value) { return needs.contains(&value); });
	return Error::success();
}

Error keepUnit(Module &module, ArrayRef<uint32_t> unitOfKernel, uint32_t unit)
{
	SmallVector<GlobalValue *, 16> entries;
	for (auto [row, other] : zip(rowsOf(module), unitOfKernel)) {
		if (other == unit)
			entries.push_back(entryOf(*row));
	}
	for (GlobalValue *entry : entries) {
		entry->setLinkage(GlobalValue::ExternalLinkage);
		entry->setVisibility(GlobalValue::HiddenVisibility);
	}
	return keepNeeded(module, entries);
}

} // namespace weft
