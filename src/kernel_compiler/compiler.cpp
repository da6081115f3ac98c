/* SPDX-License-Identifier: MIT
 *
 * The functions behind compiler.h: each runs its stages contained, on C++ objects of its own, and
 * copies what they made into the caller's structure at the end.
 */
#include "compiler.h"

#include "code_generation/cpu_list.h"
#include "compile_job.h"
#include "front_end/build_options.h"
#include "support/bounded_log.h"
#include "support/crash_guard.h"

extern "C" {
#include "alloc.h"
}

namespace
{

using weft::BuildOptions;
using weft::CompileJob;
using weft::JobOwned;
using weft::Result;

weft_status compileJob(const weft_compile_desc &desc, bool toKernels, CompileJob &job)
{
	weft_status status = job.prepare(desc.options, weft::ForCompile);
	if (status == WEFT_OK)
		status =
			job.compile(desc, toKernels && desc.late && desc.emit == WEFT_EMIT_KERNELS);
	if (status == WEFT_OK && toKernels && desc.emit != WEFT_EMIT_KERNELS)
		return job.makeText(desc.emit);
	if (status == WEFT_OK)
		status =
			toKernels ? job.makeKernels(desc.late) : job.makeObject(WEFT_OUTPUT_OBJECT);
	return status;
}

weft_status linkJob(const weft_link_desc &desc, CompileJob &job)
{
	weft_status status = job.prepare(desc.options, weft::ForLink);
	if (status == WEFT_OK)
		status = job.merge(desc);
	if (status == WEFT_OK)
		status = job.wantsLibrary() ? job.makeObject(WEFT_OUTPUT_LIBRARY)
					    : job.makeKernels(desc.late);
	return status;
}

weft_status specialiseJob(const weft_specialise_desc &desc, CompileJob &job)
{
	weft_status status = job.readProgram(desc);
	if (status == WEFT_OK)
		status = job.specialise(desc);
	if (status == WEFT_OK)
		status = job.makeKernels(false);
	return status;
}

/* False when memory runs out; what was copied until then is the caller's to release. */
bool copyPlaces(const std::vector<weft::Place> &places, weft_output &output)
{
	if (places.empty())
		return true;
	output.places = static_cast<weft_place *>(weft_calloc(places.size(), sizeof(weft_place)));
	if (!output.places)
		return false;
	for (const weft::Place &place : places) {
		char *copy = weft_strdup(place.path.c_str());

		if (!copy)
			return false;
		output.places[output.num_places++] = {copy, place.kind};
	}
	return true;
}

weft_status publish(const Result &result, weft_status status, weft_output &output)
{
	if (!result.log.empty()) {
		output.log = weft_strdup(result.log.c_str());
		if (!output.log)
			return WEFT_OUT_OF_MEMORY;
	}
	if (!result.report.empty()) {
		output.report = weft_strdup(result.report.c_str());
		if (!output.report)
			return WEFT_OUT_OF_MEMORY;
	}
	if (!copyPlaces(result.surroundings.places, output))
		return WEFT_OUT_OF_MEMORY;
	output.uses_folder = result.surroundings.usesFolder;
	output.uses_time = result.surroundings.usesTime;
	if (status != WEFT_OK)
		return status;
	output.data = weft_memdup(result.data.data(), result.data.size());
	if (!output.data)
		return WEFT_OUT_OF_MEMORY;
	output.size = result.data.size();
	output.kind = result.kind;
	return WEFT_OK;
}

weft_status runJob(const char *name, weft_output &output,
		   llvm::function_ref<weft_status(Result &)> job)
{
	weft::StageClock clock;
	Result result;

	weft_status status = weft::runGuarded([&] { return job(result); }, result.log);
	weft::boundLog(result.log);
	if (status != WEFT_OK)
		weft_log(WEFT_LOG_INFO, "compiler", "%s failed (%d): %s", name, status,
			 result.log.c_str());
	status = publish(result, status, output);
	clock.done(name);
	return status;
}

/* What has come to its end leaves for other calls what they can use. */
weft_status runStages(const char *name, const weft_target &target, weft_output &output,
		      llvm::function_ref<weft_status(CompileJob &)> stages)
{
	return runJob(name, output, [&](Result &result) {
		JobOwned<CompileJob> job(target, result);
		weft_status status = stages(*job);

		job->keepForNext();
		return status;
	});
}

weft_status compileEntry(const weft_compile_desc *desc, weft_output *output)
{
	return runStages("compile", *desc->target, *output,
			 [&](CompileJob &job) { return compileJob(*desc, false, job); });
}

weft_status buildEntry(const weft_compile_desc *desc, weft_output *output)
{
	return runStages("build", *desc->target, *output,
			 [&](CompileJob &job) { return compileJob(*desc, true, job); });
}

weft_status linkEntry(const weft_link_desc *desc, weft_output *output)
{
	return runStages("link", *desc->target, *output,
			 [&](CompileJob &job) { return linkJob(*desc, job); });
}

weft_status specialiseEntry(const weft_specialise_desc *desc, weft_output *output)
{
	return runStages("specialise", *desc->target, *output,
			 [&](CompileJob &job) { return specialiseJob(*desc, job); });
}

weft_status checkOptionsEntry(const char *options, bool link, weft_output *output)
{
	return runJob("check options", *output, [&](Result &result) {
		BuildOptions parsed;

		return weft::parseBuildOptions(options, link ? weft::ForLink : weft::ForCompile,
					       parsed, result.log)
			       ? WEFT_OK
			       : WEFT_INVALID_OPTIONS;
	});
}

weft_status generateEntry(const weft_generate_desc *desc, weft_output *output)
{
	return runStages("generate", *desc->target, *output,
			 [&](CompileJob &job) { return job.generate(*desc); });
}

weft_status joinEntry(const weft_join_desc *desc, weft_output *output)
{
	return runJob("join", *output,
		      [&](Result &result) { return weft::joinUnits(*desc, result); });
}

weft_status cpusEntry(const char *cpu, weft_output *output)
{
	return runJob("list CPUs", *output, [&](Result &result) {
		result.kind = WEFT_OUTPUT_TEXT;
		return weft::listCpus(cpu, result.data) ? WEFT_OK : WEFT_INVALID_OPTIONS;
	});
}

void releaseEntry(weft_output *output)
{
	for (size_t i = 0; i < output->num_places; i++)
		weft_free(output->places[i].path);
	weft_free(output->places);
	weft_free(output->log);
	weft_free(output->report);
	weft_free(output->data);
	*output = {};
}

} // namespace

const struct weft_compiler weft_compiler = {
	WEFT_COMPILER_VERSION, compileEntry,      linkEntry,     buildEntry, specialiseEntry,
	releaseEntry,          checkOptionsEntry, generateEntry, joinEntry,  cpusEntry};
