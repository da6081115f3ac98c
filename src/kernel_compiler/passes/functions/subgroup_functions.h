/* SPDX-License-Identifier: MIT
 *
 * The internal functions that lib/builtins' sub-group functions are written over (weft_internal.h): what each
 * does, and what it is for a sub-group of one work-item. For sub-groups of more, widen-loops makes vector code of
 * them (subgroup_operations.h).
 */
#ifndef WEFT_PASSES_SUBGROUP_FUNCTIONS_H
#define WEFT_PASSES_SUBGROUP_FUNCTIONS_H

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace weft
{

struct SubgroupFunction {
	enum Kind : uint8_t {
		Size,    /* () how many lanes a full sub-group has */
		Lane,    /* () which of them this is */
		Barrier, /* () the lanes' memory accesses before it come before those behind it */
		Ballot,  /* (predicate) a bit for each active lane */
		Shuffle, /* (value, lane) the value of another lane */
		ShuffleTwo, /* (low, high, lane) the same, of the lanes' first values and then of their second ones */
		First, /* (address) the first lane's */
		Reduce, /* (value, cluster) over the active lanes of a cluster; 0: of the sub-group */
		Inclusive, /* (value) scan over the active lanes up to this one */
		Exclusive, /* (value) before this one */
	};
	enum Operation : uint8_t { None, Add, Mul, Min, Max, And, Or, Xor };

	Kind kind;
	Operation operation = None; /* of reductions and scans */
	bool isSigned = false;

	bool operator==(Kind other) const
	{
		return kind == other;
	}
};

std::optional<SubgroupFunction> subgroupFunctionOf(const llvm::Function &function);
/* Of a call or of anything else. */
std::optional<SubgroupFunction> subgroupCallOf(const llvm::Value &value);
bool usesSubgroups(const llvm::Function &kernel);

/* The identity of the operation: the value with which it leaves any other unchanged. */
llvm::Constant *identityOf(SubgroupFunction function, llvm::Type *type);

/* The number of lanes, of `width`, over which a reduction goes: the cluster that it names, or all. */
unsigned clusterOf(const llvm::CallBase &reduction, unsigned width);

/* Gives the function the attributes that it has in truth. */
void declareSubgroupFunction(llvm::Function &function, SubgroupFunction what);

/* intel_reqd_sub_group_size; 0 if the kernel has none. */
uint32_t requiredSubgroupSize(const llvm::Function &kernel);

/* weft_reqd_num_sub_groups, the sub-groups that each work-group must have; 0 if the kernel has none. */
uint32_t requiredSubgroupCount(const llvm::Function &kernel);

/* Makes each work-item of the kernel a sub-group. */
void makeSubgroupsOfOne(llvm::Function &kernel);

} // namespace weft

#endif
