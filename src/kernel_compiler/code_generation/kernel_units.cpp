/* SPDX-License-Identifier: MIT
 *
 * What could be an error of the build, and would show only when a unit is compiled, is looked for here. A program in which there may be
 * one is compiled as a whole, which says where.
 */
#include "code_generation/kernel_units.h"

#include "finish/emit_descriptors.h"
#include "functions/internal_functions.h"
#include "functions/subgroup_functions.h"
#include "ir/variables.h"
#include "kernel_abi.h"
#include "prepare/lower_printf.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace weft
{

namespace
{

/* In instructions of kernels when what they call is inlined. What takes less time than some milliseconds is compiled with the build; a unit
 * takes one or two more than its code does with that of others. */
struct LeastKernelSizes {
	double program;
	double unit;
};
constexpr LeastKernelSizes fullKernelSizes = {300, 90}, quickKernelSizes = {1400, 300};
constexpr double builtinSize = 20; /* a guess: most are smaller, a few much larger */
/* Far from what is refused as too large (inline_functions.cpp), whatever the built-in functions' sizes are. */
constexpr double mostInKernel = 20000;

/* Kernels may be copied, and looked at one by one. */
bool isPlainKernel(const Function &kernel)
{
	return kernel.use_empty() && !kernel.hasFnAttribute(hookAttribute) &&
	       requiredSubgroupSize(kernel) == 0;
}

/* Whether the call can be compiled, and asks for nothing of the program as a whole. */
bool isPlainCall(const CallBase &call)
{
	const Function *callee = call.getCalledFunction();
	if (!callee || call.isInlineAsm() || callee->getName().contains("enqueue_"))
		return false;
	return callee->getName() != "printf" || isPrintable(call);
}

bool isPlain(const Module &module)
{
	return module.getModuleInlineAsm().empty() && module.alias_empty() &&
	       module.ifunc_empty() && none_of(module.globals(), isProgramVariable) &&
	       none_of(module, [](const Function &function) {
		       return isKernel(function) ? !isPlainKernel(function)
						 : function.hasAddressTaken();
	       });
}

/* Instructions with all that is inlined; a negative number: not all of its calls are plain. */
double sizeOf(const Function &function, const DenseMap<const Function *, double> &sizes)
{
	double size = 0;
	for (const Instruction &instruction : instructions(function)) {
		const auto *call = dyn_cast<CallBase>(&instruction);
		size++;
		if (!call)
			continue;
		if (!isPlainCall(*call))
			return -1;
		const Function &callee = *call->getCalledFunction();
		size += callee.isDeclaration() && !callee.isIntrinsic() ? builtinSize
									: sizes.lookup(&callee);
	}
	return size;
}

/* Of each kernel. Empty: a function calls itself, or something that is not plain, or a kernel is large. */
SmallVector<double, 16> sizesOfKernels(Module &module)
{
	DenseMap<const Function *, double> sizes;
	SmallVector<double, 16> ofKernels;
	CallGraph graph(module);
	for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
		const Function *function = component->front()->getFunction();
		if (component.hasCycle())
			return {};
		if (!function || function->isDeclaration())
			continue;
		const double size = sizeOf(*function, sizes);
		if (size < 0 || size > mostInKernel)
			return {};
		sizes[function] = size;
	}
	for (const Function &function : module) {
		if (isKernel(function))
			ofKernels.push_back(sizes.lookup(&function));
	}
	return ofKernels;
}

} // namespace

CodegenUnits divideSource(Module &module, bool quick)
{
	const LeastKernelSizes &least = quick ? quickKernelSizes : fullKernelSizes;
	if (!isPlain(module))
		return {};
	const SmallVector<double, 16> sizes = sizesOfKernels(module);
	if (sum_of(sizes, 0.0) < least.program)
		return {};
	return divideBySizes(sizes, quick);
}

CodegenUnits divideBySizes(ArrayRef<double> sizes, bool quick)
{
	const LeastKernelSizes &least = quick ? quickKernelSizes : fullKernelSizes;
	CodegenUnits units;
	double size = least.unit; /* of the last unit so far */
	for (double next : sizes) {
		if (size >= least.unit) {
			units.count++;
			size = 0;
		}
		units.ofKernel.push_back(units.count - 1);
		size += next;
	}
	return units;
}

void keepSignatures(Module &module)
{
	StripDebugInfo(module);
	for (Function &function : module) {
		const bool isKept = isKernel(function);
		SmallVector<std::pair<unsigned, MDNode *>, 8> metadata;
		function.getAllMetadata(metadata);
		function.deleteBody(); /* and its metadata */
		if (!isKept)
			continue;
		for (auto [kind, node] : metadata)
			function.setMetadata(kind, node);
		ReturnInst::Create(module.getContext(),
				   BasicBlock::Create(module.getContext(), "", &function));
	}
	for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
		variable.removeDeadConstantUsers();
		if (variable.use_empty())
			variable.eraseFromParent();
	}
	for (Function &function : make_early_inc_range(module)) {
		if (!isKernel(function) && function.use_empty())
			function.eraseFromParent();
	}
}

Error keepKernels(Module &module, ArrayRef<uint32_t> unitOfKernel, uint32_t unit)
{
	SmallVector<GlobalValue *, 16> kept;
	for (Function &function : module) {
		if (!isKernel(function) || unitOfKernel.empty())
			continue;
		if (unitOfKernel.consume_front() == unit)
			kept.push_back(&function);
	}
	return keepNeeded(module, kept);
}

void keepAllKernels(Module &module)
{
	SmallVector<GlobalValue *, 16> kept;
	for (Function &function : module) {
		if (isKernel(function))
			kept.push_back(&function);
	}
	cantFail(keepNeeded(module, kept)); /* nothing is read */
}

std::unique_ptr<Module> makeFrame(const Module &like, uint32_t numKernels, StringRef object)
{
	LLVMContext &context = like.getContext();
	auto frame = std::make_unique<Module>("frame", context);
	frame->setTargetTriple(like.getTargetTriple());
	frame->setDataLayout(like.getDataLayout());
	/* lld defines it. */
	auto *rows = new GlobalVariable(*frame, Type::getInt8Ty(context), true,
					GlobalValue::ExternalLinkage, nullptr,
					(Twine("__start_") + rowsSection).str());
	rows->setVisibility(GlobalValue::HiddenVisibility);
	Constant *bytes = ConstantDataArray::getString(context, object, false);
	auto *carried = new GlobalVariable(*frame, bytes->getType(), true,
					   GlobalValue::PrivateLinkage, bytes, "weft.object");
	Type *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
	Constant *program = ConstantStruct::getAnon(
		{ConstantInt::get(i32, WEFT_KERNEL_ABI), ConstantInt::get(i32, numKernels), rows,
		 ConstantInt::get(i64, 0), carried, ConstantInt::get(i64, object.size()),
		 ConstantInt::get(i32, 0), ConstantInt::get(i32, 0)});
	new GlobalVariable(*frame, program->getType(), true, GlobalValue::ExternalLinkage, program,
			   WEFT_PROGRAM_SYMBOL);
	return frame;
}

} // namespace weft
