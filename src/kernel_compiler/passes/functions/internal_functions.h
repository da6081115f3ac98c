/* SPDX-License-Identifier: MIT
 *
 * The internal functions that the built-ins are written over and the passes lower: their names, and how to
 * recognise, declare and ask for them. Those that weft_internal.h does not declare (context, local,
 * spill and scratch memory) exist between passes only.
 */
#ifndef WEFT_PASSES_INTERNAL_FUNCTIONS_H
#define WEFT_PASSES_INTERNAL_FUNCTIONS_H

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace weft
{

/* Queries of a work-item; those from LocalId to EnqueuedLocalSize take a dimension. */
enum class Query {
	LocalId,
	GlobalId, /* until coalesce-work-groups */
	GroupId,
	FirstItem, /* group id * enqueued size, of groups that are coalesced: from coalesce-work-groups on */
	NumGroups,
	GlobalSize,
	GlobalOffset,
	LocalSize,
	EnqueuedLocalSize,
	WorkDim,
	Context,       /* struct weft_work_context * */
	LocalMemory,   /* weft_work_context.local, in the local address space */
	SpillMemory,   /* weft_work_context.spill */
	ScratchMemory, /* weft_work_context.scratch */
	CycleMemory,   /* weft_work_context.cycles */
};
constexpr unsigned numQueries = unsigned(Query::CycleMemory) + 1;

constexpr char barrierName[] = "__weft_barrier";
/* Clang's name of the function with a kernel's body, which other kernels may call, begins so. */
constexpr char kernelBodyPrefix[] = "__clang_ocl_kern_imp_";
/* Clang's: from a sampler's bits to a sampler. */
constexpr char samplerInitialiser[] = "__translate_sampler_initializer";
constexpr char groupMemoryName[] = "__weft_group_memory";
constexpr char oncePrefix[] = "__weft_once_"; /* of functions that run once for the group */

/* Asks the host about kernels to be enqueued (weft_internal.h). */
constexpr char enqueueName[] = "__weft_enqueue";

/* Says that a work-item has called through a pointer that leads to no function of that type: void (). */
constexpr char wrongCallName[] = "__weft_wrong_call";
llvm::Function *declareWrongCall(llvm::Module &module);

/* Around the body of a function that may call itself: i1 (), whether there is room for one more call, and void (), behind a call for which there
 * was. Between bound-recursion and lower-host-calls. */
constexpr char beginCallName[] = "__weft_begin_call";
constexpr char endCallName[] = "__weft_end_call";
llvm::Function *declareBeginCall(llvm::Module &module);
llvm::Function *declareEndCall(llvm::Module &module);

/* All work-items of a group that have not returned may wait for each other where it is called, or need not: void (). Between lower-host-calls
 * and split-at-barriers. */
constexpr char meetingName[] = "__weft_meeting";
llvm::Function *declareMeeting(llvm::Module &module);
bool isMeeting(const llvm::Value &value);

/* OpenCL's address spaces as Clang numbers them for SPIR. */
enum AddressSpace : unsigned {
	PrivateSpace = 0,
	GlobalSpace = 1,
	ConstantSpace = 2,
	LocalSpace = 3,
	GenericSpace = 4,
};

/* Memory of a work-item or its work-group; else it is global, or may be. */
bool isPrivateOrLocal(unsigned space);
/* Memory that is never one work-item's own. */
bool isSharedSpace(unsigned space);

bool takesDimension(Query query);
llvm::StringRef queryName(Query query);
std::optional<Query> queryOfFunction(const llvm::Function &function);
/* Of a call or of anything else. */
std::optional<Query> queryOf(const llvm::Value &value);
/* Whether it asks that of one dimension. */
bool isQueryOf(const llvm::Value &value, Query query, unsigned dimension);
bool isBarrier(const llvm::Value &value);
/* A function that runs once for the group, behind a barrier (weft_internal.h), and a call of one. Its first argument is the
 * address of a variable: of each work-item's, where it has more arguments. */
bool runsOnce(const llvm::Function &function);
bool isOnceCall(const llvm::Value &value);
/* Instructions of a CPU for which LLVM has no intrinsic of all targets: __weft_estimate_rsqrt and its kind of weft_internal.h, for floats,
 * doubles, or vectors of them; vectors exist between passes only. */
enum class CpuFunction {
	ReciprocalRoot,
	Exponent,
	Mantissa,
	Reciprocal,
	Significand,
	WithinOne,
	Scale
};
std::optional<CpuFunction> cpuFunctionOf(const llvm::Function &function);
/* Of a call or of anything else. */
std::optional<CpuFunction> cpuCallOf(const llvm::Value &value);
/* A call of what is neither an intrinsic nor a CPU's function, which are instructions in the machine's code, nor a precompiled one. */
bool isRealCall(const llvm::Instruction &instruction);

/* Declares the function when the module lacks it, and gives it the attributes that it has in truth. */
llvm::Function *declareQuery(llvm::Module &module, Query query);
llvm::Function *declareBarrier(llvm::Module &module);
/* Declares it for `type`: float, double or vectors of them. */
llvm::Function *declareCpuFunction(llvm::Module &module, CpuFunction function, llvm::Type *type);

/* A function (value, low, high) of signed numbers of the type, for widen-loops alone: true only if low <= value <= high in all lanes. */
llvm::Function *declareLanesBetween(llvm::Module &module, llvm::Type *type);
/* Whether it is a call of one. */
bool isLanesBetween(const llvm::Value &value);
/* A function of a number of the type, for widen-loops alone: the first lane's, if the lanes' numbers are linear. Else it says nothing. */
llvm::Function *declareFirstLane(llvm::Module &module, llvm::Type *type);
bool isFirstLane(const llvm::Value &value);

/* Emits a call. `dimension` is ignored where the query takes none. */
llvm::CallInst *createQuery(llvm::IRBuilderBase &builder, Query query, unsigned dimension = 0);

/* The struct weft_work_context * of the function where `builder` is: its parameter (add-item-parameters), or a query. */
llvm::Value *contextOf(llvm::IRBuilderBase &builder);

/* Loads what does not change while the kernel runs, `offset` bytes from `base`. */
llvm::LoadInst *loadInvariant(llvm::IRBuilderBase &builder, llvm::Type *type, llvm::Value *base,
			      uint64_t offset, llvm::MaybeAlign align = {});

/* Calls the function at `offset` of struct weft_work_context; the context is its first argument. */
llvm::CallInst *callHost(llvm::IRBuilderBase &builder, uint64_t offset, llvm::Type *result,
			 llvm::ArrayRef<llvm::Value *> arguments);

bool isKernel(const llvm::Function &function);

/* A function of the application's (cl_weft_host_function): declared in the source, and not defined. */
bool isHostFunction(const llvm::Function &function);
/* A function that calls one of others by its number (numbered_calls.h). */
bool callsByNumber(const llvm::Function &function);
/* A function that a later pass replaces by a call of the host (callHost) or an access of the context, other than accesses of images. */
bool needsContext(const llvm::Function &function);

/* Whole numbers that one pass leaves for a later one, kept as attributes of the kernel. */
uint64_t getKernelNumber(const llvm::Function &kernel, llvm::StringRef attribute);
void setKernelNumber(llvm::Function &kernel, llvm::StringRef attribute, uint64_t value);
void addKernelFlag(llvm::Function &kernel, uint64_t flag); /* enum weft_kernel_flag */
/* The kernels among the functions, and among those that call them, directly or through others. */
llvm::SmallVector<llvm::Function *, 8> kernelsThatReach(llvm::ArrayRef<llvm::Function *> functions);
void flagCallers(llvm::ArrayRef<llvm::Function *> functions, uint64_t flag);
constexpr char localSizeAttribute[] = "weft-local-size"; /* bytes */
constexpr char localVariablesAttribute[] =
	"weft-local-variables"; /* where the kernel's own begin in it, and their bytes: "0:64,64:1024" */
constexpr char spillPerItemAttribute[] = "weft-spill-per-item";      /* bytes */
constexpr char scratchSizeAttribute[] = "weft-scratch-size";         /* bytes */
constexpr char privateSizeAttribute[] = "weft-private-size";         /* bytes */
constexpr char vectorWidthAttribute[] = "weft-vector-width";         /* lanes */
constexpr char coalescedGroupsAttribute[] = "weft-coalesced-groups"; /* enum GroupCoalescing */
constexpr char groupsAlongYAttribute[] = "weft-groups-along-y"; /* 1: they follow each other so */
constexpr char usesRowsAttribute[] = "weft-uses-rows";          /* 1: asks for ids along y */
constexpr char sharesRowsAttribute[] = "weft-shares-rows";      /* enum RowSharing */
constexpr char narrowIntegersAttribute[] =
	"weft-narrow-integers"; /* 1: most arithmetic fits 16 bits */
constexpr char writtenRowsAttribute[] =
	"weft-written-rows"; /* 1: lanes each write a row, which costs much where rows lie a power of two apart */
constexpr char forcedWidthAttribute[] = "weft-forced-width"; /* 1: whether it pays or not */
constexpr char splitVectorsAttribute[] =
	"weft-split-vectors"; /* 1: vectors of the source that lanes share became scalars */
constexpr char subgroupsAttribute[] = "weft-subgroups";    /* 1: work-items see how wide it is */
constexpr char maskedTailAttribute[] = "weft-masked-tail"; /* 1: the last items too are a vector */
constexpr char scalarLanesAttribute[] = "weft-scalar-lanes"; /* 1: lanes are scalars, no vectors */
constexpr char flushDenormalsAttribute[] = "weft-flush-denormals"; /* no value */
constexpr char elementCallsAttribute[] =
	"weft-element-calls"; /* of any function, 1: widen-elements or choose-width inlines them (element_functions.h) */
constexpr char flagsAttribute[] = "weft-kernel-flags"; /* enum weft_kernel_flag */
constexpr char contextAttribute[] =
	"weft-context"; /* of an entry point's parameter: struct weft_work_context */
constexpr char itemContextAttribute[] =
	"weft-item-context"; /* of a called function's parameter: struct weft_work_context */
constexpr char accessAttribute[] = "weft-access";    /* of a parameter: enum weft_pointer_use */
constexpr char byValueAttribute[] = "weft-by-value"; /* of a parameter: bytes of the structure */
constexpr char queueAttribute[] = "weft-queue";      /* of a parameter: no value */
constexpr char blockAttribute[] = "weft-block"; /* of a block's kernel: its number, from 0 on */
constexpr char hookAttribute[] =
	"weft-hook"; /* of a kernel that the loader runs: enum weft_program_hook */
constexpr char indirectCallAttribute[] =
	"weft-indirect-call"; /* of a function that calls one of others by its number: no value */
constexpr char recursiveAttribute[] =
	"weft-recursive"; /* of one that may call itself: no value. Each cycle of calls has such ones, which stay calls */
constexpr char hostFunctionAttribute[] =
	"weft-host-function"; /* of a declaration that the application may register: its name in the source */
constexpr char imageConstantAttribute[] =
	"weft-image-constant"; /* of a parameter: the image's format, or the sampler */

/* Values of weft-coalesced-groups: which groups may run as one. */
enum GroupCoalescing : uint64_t {
	CoalescesNone,
	CoalescesAll,
	CoalescesSingle, /* groups that have one work-item along x */
};

/* Values of weft-shares-rows: what rows of a group have in common. */
enum RowSharing : uint64_t {
	SharesNothing,
	SharesElements, /* an inner loop reads the same for all rows */
	SharesLines,    /* cache lines, of which each work-item uses a part */
};

/* The parameters of an entry point, weft_kernel_entry. */
enum EntryParameter : unsigned {
	RangeParameter,
	ArgsParameter,
	ContextParameter,
	FirstGroup,
	EndGroup
};

/* Reports a build error to the context's diagnostic handler. */
void reportError(const llvm::Function &function, const llvm::Twine &message);

} // namespace weft

#endif
