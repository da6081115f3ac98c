/* SPDX-License-Identifier: MIT
 *
 * emit-descriptors: descriptors as LLVM constants, field by field in the order of kernel_abi.h.
 */
#include "finish/emit_descriptors.h"

#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "functions/pipe_functions.h"
#include "functions/subgroup_functions.h"
#include "ir/remarks.h"
#include "ir/variables.h"
#include "kernel/argument_layout.h"
#include "kernel/footprint.h"
#include "kernel/host_functions.h"
#include "kernel/quick_code.h"
#include "kernel/swapped_dimension.h"
#include "kernel/transfer_list.h"
#include "kernel_abi.h"
#include "kernel_waits.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace weft
{

namespace
{

/* enum weft_pointer_use, as argument-access found it. */
uint32_t accessOf(const Argument &argument)
{
	return getArgumentNumber(argument, accessAttribute);
}

/* What the kernel's sub-groups are, and the order of what it prints, would show that a specialisation runs; and in a
 * specialisation there are no blocks. */
bool showsSpecialisation(const Function &kernel)
{
	return getKernelNumber(kernel, subgroupsAttribute) ||
	       (getKernelNumber(kernel, flagsAttribute) &
		(WEFT_KERNEL_PRINTS | WEFT_KERNEL_ENQUEUES));
}

bool isBlock(const Function &kernel)
{
	return kernel.hasFnAttribute(blockAttribute);
}

bool isHook(const Function &kernel)
{
	return kernel.hasFnAttribute(hookAttribute);
}

/* Whether a specialisation for one size would be faster: code that knows its group is laid out for it, its loops over
 * work-items count to constants, and rows fold where they are short. */
bool gainsBySize(const Function &kernel)
{
	bool isOneRange = getKernelNumber(kernel, coalescedGroupsAttribute) == CoalescesAll &&
			  !getKernelNumber(kernel, usesRowsAttribute);

	return !kernel.hasMetadata("reqd_work_group_size") && !isOneRange;
}

/* Whether one for the formats of its images would be: where it accesses any. */
bool gainsByImages(const Function &kernel, const ArgumentLayout &layout)
{
	return any_of(zip_equal(kernel.args(), layout.places), [](const auto &pair) {
		const auto &[argument, place] = pair;
		return place.kind == WEFT_ARG_IMAGE && accessOf(argument) != 0;
	});
}

void reportMemory(const Function &kernel)
{
	addRemark(kernel, "local memory " + Twine(getKernelNumber(kernel, localSizeAttribute)) +
				  " bytes; private memory " +
				  Twine(getKernelNumber(kernel, privateSizeAttribute)) +
				  " bytes; across barriers " +
				  Twine(getKernelNumber(kernel, spillPerItemAttribute)) +
				  " bytes per work-item; scratch memory " +
				  Twine(getKernelNumber(kernel, scratchSizeAttribute)) + " bytes");
}

class DescriptorBuilder
{
      public:
	DescriptorBuilder(Module &theModule, StringRef theObject, bool isPart)
	    : module(theModule), context(theModule.getContext()), object(theObject), part(isPart)
	{
	}

	void emitProgram();

      private:
	Constant *number16(uint64_t value)
	{
		return ConstantInt::get(Type::getInt16Ty(context), value);
	}
	Constant *number32(uint64_t value)
	{
		return ConstantInt::get(Type::getInt32Ty(context), value);
	}
	Constant *number64(uint64_t value)
	{
		return ConstantInt::get(Type::getInt64Ty(context), value);
	}
	Constant *string(StringRef text);
	Constant *array(ArrayRef<Constant *> rows);
	Constant *sizes(const uint32_t values[3])
	{
		return array({number32(values[0]), number32(values[1]), number32(values[2])});
	}
	GlobalVariable *constant(Constant *value, const char *name);
	Constant *rows(ArrayRef<Constant *> kernels);
	Constant *argument(const Argument &argument, const ArgumentPlace &place);
	Constant *transferRows(const Function &kernel);
	Constant *footprint(const Function &kernel);
	Constant *hostFunctionRows(ArrayRef<HostFunction> functions);
	Constant *kernel(Function &kernel);
	uint64_t globalVariableSize();
	void freeReservedNames();

	Module &module;
	LLVMContext &context;
	StringRef object;
	bool part;
	bool carriesObject = false; /* since kernels can be made of it */
};

GlobalVariable *DescriptorBuilder::constant(Constant *value, const char *name)
{
	auto *variable = new GlobalVariable(module, value->getType(), true,
					    GlobalValue::PrivateLinkage, value, name);
	variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
	return variable;
}

Constant *DescriptorBuilder::string(StringRef text)
{
	return constant(ConstantDataArray::getString(context, text), "weft.string");
}

Constant *DescriptorBuilder::array(ArrayRef<Constant *> rows)
{
	return ConstantArray::get(ArrayType::get(rows[0]->getType(), rows.size()), rows);
}

StringRef argumentMetadata(const Argument &argument, StringRef name)
{
	const MDNode *node = argument.getParent()->getMetadata(name);
	if (!node || argument.getArgNo() >= node->getNumOperands())
		return "";
	const auto *text = dyn_cast<MDString>(node->getOperand(argument.getArgNo()));
	return text ? text->getString() : "";
}

/* Clang's metadata of an image's access is wrong where its type is a typedef of a typedef. */
uint32_t qualifiersOf(const Argument &argument)
{
	uint32_t qualifiers = getArgumentNumber(argument, imageAccessAttribute);
	SmallVector<StringRef, 4> words;
	argumentMetadata(argument, "kernel_arg_type_qual").split(words, ' ');
	if (!qualifiers)
		words.push_back(argumentMetadata(argument, "kernel_arg_access_qual"));
	for (StringRef word : words)
		qualifiers |= StringSwitch<uint32_t>(word)
				      .Case("const", WEFT_QUALIFIER_CONST)
				      .Case("restrict", WEFT_QUALIFIER_RESTRICT)
				      .Case("volatile", WEFT_QUALIFIER_VOLATILE)
				      .Case("pipe", WEFT_QUALIFIER_PIPE)
				      .Case("read_only", WEFT_QUALIFIER_READ_ONLY)
				      .Case("write_only", WEFT_QUALIFIER_WRITE_ONLY)
				      .Case("read_write", WEFT_QUALIFIER_READ_WRITE)
				      .Default(0);
	return qualifiers;
}

Constant *DescriptorBuilder::argument(const Argument &argument, const ArgumentPlace &place)
{
	uint32_t access = place.kind == WEFT_ARG_VALUE ? 0 : accessOf(argument);
	return ConstantStruct::getAnon({string(argumentMetadata(argument, "kernel_arg_name")),
					string(argumentMetadata(argument, "kernel_arg_type")),
					number32(place.kind), number32(place.size),
					number32(place.offset), number32(place.align),
					number32(access), number32(qualifiersOf(argument)),
					number32(getArgumentNumber(argument, imageAttribute))});
}

/* OpenCL C's name of a vec_type_hint: a type, and whether its integers are signed. */
std::string hintedType(const MDNode &hint)
{
	Type *type = cast<ValueAsMetadata>(hint.getOperand(0))->getType();
	bool isSigned = mdconst::extract<ConstantInt>(hint.getOperand(1))->isOne();
	Type *scalar = type->getScalarType();
	std::string name = scalar->isHalfTy() ? "half" : scalar->isFloatTy() ? "float" : "double";
	if (scalar->isIntegerTy()) {
		static constexpr const char *names[] = {"char", "short", "int", "long"};
		name = names[std::min(Log2_32(scalar->getIntegerBitWidth() / 8), 3u)];
		if (!isSigned)
			name = "u" + name;
	}
	if (auto *vector = dyn_cast<FixedVectorType>(type))
		name += std::to_string(vector->getNumElements());
	return name;
}

/* In the order of the source's dimensions. */
void readSourceSizes(const Function &kernel, StringRef name, uint32_t sizes[3])
{
	uint32_t own[3];
	readSizes(kernel, name, own);
	for (unsigned d = 0; d < 3; d++)
		sizes[name == "reqd_work_group_size" ? sourceDimension(kernel, d) : d] = own[d];
}

std::string sizeAttribute(const Function &kernel, StringRef name)
{
	uint32_t values[3];
	readSourceSizes(kernel, name, values);
	return (name + "(" + Twine(values[0]) + "," + Twine(values[1]) + "," + Twine(values[2]) +
		")")
		.str();
}

/* As CL_KERNEL_ATTRIBUTES spells them: separated by spaces, without __attribute__. */
std::string attributesOf(const Function &kernel)
{
	SmallVector<std::string, 4> attributes;
	for (const char *name : {"reqd_work_group_size", "work_group_size_hint"}) {
		if (kernel.hasMetadata(name))
			attributes.push_back(sizeAttribute(kernel, name));
	}
	if (uint32_t size = requiredSubgroupSize(kernel))
		attributes.push_back("intel_reqd_sub_group_size(" + std::to_string(size) + ")");
	if (const MDNode *hint = kernel.getMetadata("vec_type_hint"))
		attributes.push_back("vec_type_hint(" + hintedType(*hint) + ")");
	return join(attributes, " ");
}

Constant *DescriptorBuilder::kernel(Function &kernel)
{
	ArgumentLayout layout = layOutArguments(kernel);
	SmallVector<Constant *, 8> arguments;
	for (auto [argument, place] : zip_equal(kernel.args(), layout.places))
		arguments.push_back(this->argument(argument, place));
	auto *pointer = PointerType::get(context, 0);
	Constant *argumentRows = ConstantPointerNull::get(pointer);
	if (!arguments.empty())
		argumentRows = constant(array(arguments), "weft.arguments");
	uint32_t required[3], hint[3];
	readSourceSizes(kernel, "reqd_work_group_size", required);
	readSourceSizes(kernel, "work_group_size_hint", hint);
	uint64_t flags = getKernelNumber(kernel, flagsAttribute);
	if (required[0])
		flags |= WEFT_KERNEL_FIXED_SIZE;
	if (kernel.getFnAttribute("uniform-work-group-size").getValueAsBool())
		flags |= WEFT_KERNEL_UNIFORM_SIZE;
	if (getKernelNumber(kernel, coalescedGroupsAttribute) > 0)
		flags |= WEFT_KERNEL_COALESCES_GROUPS;
	if (any_of(kernel.args(), isPipe))
		flags |= WEFT_KERNEL_MAY_BLOCK;
	if (getKernelNumber(kernel, subgroupsAttribute) > 0)
		flags |= WEFT_KERNEL_HAS_SUBGROUPS;
	if (isQuick(module))
		flags |= WEFT_KERNEL_QUICK;
	const bool usesLayers = sourceDimension(kernel, 0) == 2 || sourceDimension(kernel, 1) == 2;
	if (usesLayers && getKernelNumber(kernel, farLanesAttribute) > 0)
		flags |= WEFT_KERNEL_FEW_LAYERS;
	if (!object.empty() && object.size() <= maxSpecialisationBytes &&
	    !showsSpecialisation(kernel) && !isBlock(kernel) && !isHook(kernel)) {
		flags |= gainsBySize(kernel) ? WEFT_KERNEL_GAINS_BY_SIZE : 0;
		flags |= gainsByImages(kernel, layout) ? WEFT_KERNEL_GAINS_BY_IMAGES : 0;
	}
	carriesObject = carriesObject || (flags & (WEFT_KERNEL_QUICK | WEFT_KERNEL_GAINS_BY_SIZE |
						   WEFT_KERNEL_GAINS_BY_IMAGES));
	reportMemory(kernel);
	const std::vector<HostFunction> hostFunctions = hostFunctionsOf(kernel);
	return ConstantStruct::getAnon(
		{string(kernel.getName()),
		 string(attributesOf(kernel)),
		 &kernel,
		 argumentRows,
		 number32(arguments.size()),
		 number32(layout.size),
		 number64(getKernelNumber(kernel, localSizeAttribute)),
		 number64(getKernelNumber(kernel, privateSizeAttribute)),
		 number64(getKernelNumber(kernel, spillPerItemAttribute)),
		 sizes(required),
		 sizes(hint),
		 number32(std::max<uint64_t>(getKernelNumber(kernel, vectorWidthAttribute), 1)),
		 number32(flags),
		 number64(getKernelNumber(kernel, scratchSizeAttribute)),
		 number32(requiredSubgroupSize(kernel)),
		 number32(transfersOf(kernel).size()),
		 transferRows(kernel),
		 number32(requiredSubgroupCount(kernel)),
		 number16(sourceDimension(kernel, 0)),
		 number16(secondDimension(kernel)),
		 footprint(kernel),
		 hostFunctionRows(hostFunctions),
		 number64(hostFunctions.size())});
}

Constant *DescriptorBuilder::hostFunctionRows(ArrayRef<HostFunction> functions)
{
	SmallVector<Constant *, 4> rows;
	for (const HostFunction &function : functions) {
		Constant *sizes = ConstantPointerNull::get(PointerType::get(context, 0));
		if (!function.argumentSizes.empty())
			sizes = constant(ConstantDataArray::get(context, function.argumentSizes),
					 "weft.sizes");
		rows.push_back(ConstantStruct::getAnon(
			{string(function.name), sizes, number32(function.argumentSizes.size()),
			 number32(function.resultSize), number64(function.blockSize)}));
	}
	if (rows.empty())
		return ConstantPointerNull::get(PointerType::get(context, 0));
	return constant(array(rows), "weft.host_functions");
}

Constant *DescriptorBuilder::transferRows(const Function &kernel)
{
	SmallVector<Constant *, 4> rows;
	for (const weft_transfer_desc &row : transfersOf(kernel))
		rows.push_back(ConstantStruct::getAnon(
			{number32(row.region), number32(row.flags), number32(row.along),
			 number32(row.unit), number32(row.lines), number32(row.iterations),
			 number32(row.accesses)}));
	if (rows.empty())
		return ConstantPointerNull::get(PointerType::get(context, 0));
	return constant(array(rows), "weft.transfers");
}

Constant *DescriptorBuilder::footprint(const Function &kernel)
{
	const StringRef bytes = footprintOf(kernel);
	if (bytes.empty())
		return ConstantPointerNull::get(PointerType::get(context, 0));
	auto *variable = cast<GlobalVariable>(
		constant(ConstantDataArray::getString(context, bytes, false), "weft.footprint"));
	variable->setAlignment(Align(alignof(weft_footprint_node)));
	return variable;
}

uint64_t DescriptorBuilder::globalVariableSize()
{
	uint64_t size = 0;
	for (const GlobalVariable &variable : module.globals()) {
		if (isProgramVariable(variable))
			size += module.getDataLayout().getTypeAllocSize(variable.getValueType());
	}
	return size;
}

/* A kernel may be called memcpy or weft_program, which code generation and the linker give a meaning. Its row
 * has the name; the symbol is for debuggers alone. */
void DescriptorBuilder::freeReservedNames()
{
	TargetLibraryInfoImpl library(module.getTargetTriple());
	for (GlobalValue &value : module.global_values()) {
		LibFunc function;
		bool isReserved = value.getName() == WEFT_PROGRAM_SYMBOL ||
				  library.getLibFunc(value.getName(), function);
		if (isReserved && !value.isDeclaration())
			value.setName(value.getName() + ".user");
	}
}

/* No gap is between the rows of two parts. */
Constant *DescriptorBuilder::rows(ArrayRef<Constant *> kernels)
{
	if (kernels.empty())
		return ConstantPointerNull::get(PointerType::get(context, 0));
	GlobalVariable *table = constant(array(kernels), "weft.kernels");
	if (part) {
		table->setSection(rowsSection);
		table->setAlignment(Align(alignof(weft_kernel_desc)));
	}
	return table;
}

void DescriptorBuilder::emitProgram()
{
	uint64_t globalSize = globalVariableSize();
	if (globalSize > 0)
		object = {};
	SmallVector<Constant *, 8> kernels;
	SmallVector<Function *, 8> blocks;
	for (Function &function : module) {
		if (isKernel(function) && isBlock(function))
			blocks.push_back(&function);
		else if (isKernel(function) && !isHook(function))
			kernels.push_back(kernel(function));
	}
	const size_t numKernels = kernels.size();
	sort(blocks, [](const Function *a, const Function *b) {
		return getKernelNumber(*a, blockAttribute) < getKernelNumber(*b, blockAttribute);
	});
	for (Function *block : blocks)
		kernels.push_back(kernel(*block));
	uint64_t hooks = 0;
	for (uint64_t hook : {WEFT_PROGRAM_CONSTRUCTS, WEFT_PROGRAM_DESTROYS}) {
		for (Function &function : module) {
			if (!isHook(function) || getKernelNumber(function, hookAttribute) != hook)
				continue;
			kernels.push_back(kernel(function));
			hooks |= hook;
		}
	}
	carriesObject = carriesObject && !part;
	Constant *carried = ConstantPointerNull::get(PointerType::get(context, 0));
	if (carriesObject)
		carried = constant(ConstantDataArray::getString(context, object, false),
				   "weft.object");
	Constant *program = ConstantStruct::getAnon(
		{number32(WEFT_KERNEL_ABI), number32(numKernels), rows(kernels),
		 number64(globalSize), carried, number64(carriesObject ? object.size() : 0),
		 number32(blocks.size()), number32(hooks)});
	freeReservedNames();
	new GlobalVariable(module, program->getType(), true,
			   part ? GlobalValue::WeakAnyLinkage : GlobalValue::ExternalLinkage,
			   program, WEFT_PROGRAM_SYMBOL);
}

} // namespace

PreservedAnalyses EmitDescriptorsPass::run(Module &module, ModuleAnalysisManager &)
{
	DescriptorBuilder(module, object, part).emitProgram();
	return PreservedAnalyses::all();
}

} // namespace weft
