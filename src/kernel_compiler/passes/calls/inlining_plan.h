/* SPDX-License-Identifier: MIT
 *
 * Which functions are inlined where. All are, but for three kinds, none of which reaches a barrier or a function of sub-groups,
 * or has large variables:
 * - one that may call itself (bound-recursion);
 * - a large function that is called from several places stays a function for all its callers, if it reaches no work-item function,
 *   local variable, image or printf; smaller ones do, too, where those that stay functions would be too much code together;
 * - where a kernel would be larger than what is optimised well, those whose copies make it so are called from it.
 */
#ifndef WEFT_PASSES_INLINING_PLAN_H
#define WEFT_PASSES_INLINING_PLAN_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace weft
{

/* Whether the instruction must be in the kernel itself: barriers, what the work-items of a group do together, memory of the
 * group that has no variable. */
bool needsKernel(const llvm::Instruction &instruction);

/* Bytes of a variable, or of all that a function has; all that there are if that is not known. */
uint64_t frameSize(const llvm::AllocaInst &variable);
uint64_t frameSize(const llvm::Function &function);

class InliningPlan
{
      public:
	explicit InliningPlan(llvm::Module &module);

	/* All functions with a body, callers before callees. */
	llvm::ArrayRef<llvm::Function *> functions() const
	{
		return callersFirst;
	}

	/* The functions that stay calls in a kernel or function, and in all that is inlined in it. */
	using Calls = llvm::DenseSet<const llvm::Function *>;
	Calls callsOf(const llvm::Function &root) const;

	/* Functions with barriers that a kernel, where it would be too large with a copy for each call, has one body of for all calls
	 * (shared_bodies.h): callers before callees. They are added to `calls`. */
	llvm::SmallVector<llvm::Function *, 4> shareIn(const llvm::Function &root,
						       Calls &calls) const;

	/* Whether the function and what it calls are the same for each work-item and each sub-group. */
	bool isPlain(const llvm::Function &function) const;

	/* Whether the root, with all but these calls inlined, is no larger than what is optimised well. */
	bool fitsBudget(const llvm::Function &root, const Calls &calls) const;

	/* Instructions of a function with all that is inlined in it. */
	double sizeOf(const llvm::Function &root, const Calls &calls) const;

      private:
	/* Of one function, without its callees'. */
	struct Cost {
		double size = 0;    /* instructions */
		unsigned sites = 0; /* calls of it */
		bool mustInline = false;
		bool isRecursive = false; /* stays a call everywhere */
		bool isTogether = false;  /* reaches functions of sub-groups */
		bool asksItem = false;    /* is called only where a kernel would be too large */
		llvm::SmallVector<const llvm::Function *, 4> callees; /* once for each call */
	};

	using Numbers = llvm::DenseMap<const llvm::Function *, double>;

	void count(const llvm::Function &function);
	/* Of a function with all that is inlined in it; `size` has its callees' whole sizes. */
	static double wholeSize(const Cost &cost, const Numbers &size, const Calls &calls);
	double chooseAlways(unsigned parts);
	static bool staysCall(const Cost &cost, double size);
	Numbers sizes(const Calls &calls) const;
	Numbers copies(const llvm::Function &root, const Calls &calls) const;
	double inlinedSize(const Numbers &copies, const llvm::Function &root,
			   const Calls &calls) const;
	bool callMore(const llvm::Function &root, Calls &calls) const;

	std::vector<llvm::Function *> callersFirst;
	llvm::DenseMap<const llvm::Function *, Cost> costs;
	Calls always; /* calls for all callers */
};

} // namespace weft

#endif
