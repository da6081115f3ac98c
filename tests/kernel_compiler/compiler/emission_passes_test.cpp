// SPDX-License-Identifier: MIT
// Passes of code generation, on code that instruction selection makes of few sources.
#include "code_generation/emission_passes.h"

extern "C" {
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
}

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>

#include <memory>
#include <string>

// Assembly for AVX-512.
static std::string assemblyOf(const char *source)
{
	std::string message;
	const llvm::Triple triple("x86_64-unknown-linux-gnu");
	const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
	std::unique_ptr<llvm::TargetMachine> machine(
		target->createTargetMachine(triple, "x86-64-v4", "", {}, llvm::Reloc::PIC_));
	llvm::LLVMContext context;
	llvm::SMDiagnostic error;
	std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(source, error, context);
	llvm::SmallString<0> text;
	llvm::raw_svector_ostream stream(text);
	llvm::legacy::PassManager passes;

	assert_non_null(module.get());
	module->setTargetTriple(triple);
	module->setDataLayout(machine->createDataLayout());
	assert_false(weft::addEmissionPasses(passes, *machine, *module,
					     {stream, llvm::CodeGenFileType::AssemblyFile}));
	passes.run(*module);
	return text.str().str();
}

// One of what VPTERNLOG takes does not matter: it may be any register, here the one that holds what is returned.
static void only_results_are_zeroed(void **)
{
	const std::string text = assemblyOf(
		"define <16 x i32> @f(<16 x i32> %kept, <16 x i32> %a, <16 x i32> %b, i32 %c, ptr "
		"%p) {\n"
		"  %any = freeze <16 x i32> poison\n"
		"  %one = insertelement <16 x i32> poison, i32 %c, i64 0\n"
		"  %x = and <16 x i32> %a, %b\n"
		"  %y = or <16 x i32> %x, %any\n"
		"  %z = xor <16 x i32> %y, %one\n"
		"  store <16 x i32> %z, ptr %p\n"
		"  ret <16 x i32> %kept\n}\n");

	assert_true(text.find("\tvpternlogd\t") != std::string::npos);
	assert_true(text.find("\tvpxor") == std::string::npos);
	assert_true(text.find("\tvxor") == std::string::npos);
}

// All ones do not wait for what their register held.
static void all_ones_follow_a_zero(void **)
{
	const std::string text = assemblyOf("define <16 x i32> @f() {\n"
					    "  ret <16 x i32> splat (i32 -1)\n}\n");
	const size_t zero = text.find("xor"), ones = text.find("\tvpternlogd\t$255");

	assert_true(zero != std::string::npos && ones != std::string::npos && zero < ones);
}

int main()
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_results_are_zeroed),
		cmocka_unit_test(all_ones_follow_a_zero),
	};

	llvm::InitializeNativeTarget();
	llvm::InitializeNativeTargetAsmPrinter();
	return cmocka_run_group_tests_name("emission passes", tests, nullptr, nullptr);
}
