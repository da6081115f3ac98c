/* SPDX-License-Identifier: MIT
 *
 * The stages of one call of the compiler, on C++ objects of its own. Each works on what the stages before it made, and
 * returns false or a status when it failed, with the reason in the result's log.
 */
#ifndef WEFT_COMPILE_JOB_H
#define WEFT_COMPILE_JOB_H

#include "code_generation/codegen_units.h"
#include "compiler.h"
#include "front_end/build_options.h"
#include "front_end/kept_source.h"
#include "front_end/source_files.h"
#include "front_end/source_parts.h"
#include "kernel_archive.h"
#include "link/builtins_library.h"
#include "support/stage_clock.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>
#include <vector>

namespace weft
{

/* What a call makes. */
struct Result {
	weft_output_kind kind = WEFT_OUTPUT_NONE;
	llvm::SmallVector<char, 0> data;
	std::string log;
	std::string report; /* weft_output.report */
	Surroundings surroundings;
};

class LogDiagnostics;

class CompileJob
{
      public:
	/* Both are borrowed. */
	CompileJob(const weft_target &target, Result &result);

	weft_status prepare(const char *text, OptionUse use);
	/* `late`: the kernels may be read again later, each by itself. */
	weft_status compile(const weft_compile_desc &desc, bool late);
	weft_status merge(const weft_link_desc &desc);
	weft_status readProgram(const weft_specialise_desc &desc);
	weft_status specialise(const weft_specialise_desc &desc);

	bool wantsLibrary() const
	{
		return options.createLibrary;
	}

	weft_status makeObject(weft_output_kind kind);
	/* The module, complete now, to a kernel binary; `late`: or to an archive, where that is worth while. */
	weft_status makeKernels(bool late);
	/* The module, complete now, as a text. */
	weft_status makeText(weft_emit what);
	/* When nothing else is to be made: what another call can use. */
	void keepForNext();
	/* The code of a unit. */
	weft_status generate(const weft_generate_desc &desc);

      private:
	/* In place of the machine that there is, if any. */
	bool useMachine(bool optimise);
	bool readSource(const weft_compile_desc &desc, SourcePart &part);
	bool readIl(const weft_compile_desc &desc);
	/* Whether code generation may estimate reciprocals and roots. */
	bool estimates() const;
	Precompiled callsPrecompiled() const;
	/* What is done to a program as a whole, before its bitcode is kept. */
	bool beginProgram();
	bool linkLibrary();
	bool transform();
	bool makeObjectFile(llvm::Module &from, llvm::SmallVectorImpl<char> &code);
	bool makeBinary();
	/* Of a module that our passes have been through; or that they have not. */
	bool makeArchive(const CodegenUnits &units);
	bool makeUnpreparedArchive(const CodegenUnits &units);
	/* The module's descriptors as a binary, and the object file of it. */
	bool linkDescriptors(llvm::SmallVectorImpl<char> &object,
			     llvm::SmallVectorImpl<char> &binary);
	/* ---- late_job.cpp ---- */
	SourcePart partOf(const weft_compile_desc &desc, bool late) const;
	CodegenUnits keepSource(const weft_compile_desc &desc, const SourceDivision &division);
	bool readKept(KeptSource &source, const FunctionPlaces *functions);
	bool readKeptUnit(const weft_archive &archive, uint32_t unit);
	bool readKeptKernel(const weft_specialise_desc &desc);
	bool readUnit(const weft_archive &archive, uint32_t unit);
	weft_status expand(const weft_archive &archive);

	const weft_target &target;
	Result &result;
	StageClock clock;
	BuildOptions options;
	bool isSpecialisation = false;
	bool hasImageConstants = false; /* it is for formats of images and for samplers */
	bool isPart = false;            /* it is for a unit of the program's kernels */
	CodegenUnits
		keptUnits; /* if the source is kept: `object` is it, and the module has signatures */
	bool quick;        /* as weft_target.quick, where that may be */
	llvm::SmallVector<char, 0> bitcode; /* of `object` */
	llvm::StringRef object;             /* what specialisations are made from; may be empty */
	llvm::LLVMContext context;
	LogDiagnostics *diagnostics; /* owned by the context */
	std::unique_ptr<llvm::TargetMachine> machine;
	std::unique_ptr<llvm::Module> module;
};

struct ArchiveParts {
	llvm::StringRef binary, frame, module;
	const uint64_t *identity =
		nullptr; /* of the archive that it is made of; none: it gets its own */
};

/* Its header and its parts one after the other. */
void writeArchive(const CodegenUnits &units, uint32_t flags, const ArchiveParts &parts,
		  Result &result);

/* Part of an archive and some units' code to a kernel binary. */
weft_status joinUnits(const weft_join_desc &desc, Result &result);

} // namespace weft

#endif
