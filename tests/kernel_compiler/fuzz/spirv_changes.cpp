/* SPDX-License-Identifier: MIT
 *
 * Reads changed modules: COUNT of each file, from SEED on. A crash names the file and the seed, which make the module again.
 * usage: spirv_changes COUNT SEED FILE...
 */
#include "module_changes.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>
#include <unistd.h>

using weft::ModuleWords;

static char current[512]; /* what is read */

static void tell(int signal)
{
	if (write(STDERR_FILENO, current, sizeof(current)) < 0)
		_exit(2);
	std::signal(signal, SIG_DFL);
	raise(signal);
}

int main(int argc, char **argv)
{
	std::vector<ModuleWords> modules;

	if (argc < 4)
		return 2;
	for (int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGALRM})
		std::signal(signal, tell);
	for (int i = 3; i < argc; i++) {
		auto file = llvm::MemoryBuffer::getFile(argv[i], false, false);
		if (!file) {
			llvm::errs() << argv[i] << ": " << file.getError().message() << "\n";
			return 2;
		}
		modules.push_back(
			weft::wordsOf(reinterpret_cast<const uint8_t *>((*file)->getBufferStart()),
				      (*file)->getBufferSize()));
	}
	const unsigned count = static_cast<unsigned>(strtoul(argv[1], nullptr, 10));
	const unsigned first = static_cast<unsigned>(strtoul(argv[2], nullptr, 10));
	for (size_t m = 0; m < modules.size(); m++) {
		for (unsigned seed = first; seed < first + count; seed++) {
			ModuleWords words = modules[m];
			weft::changeModule(words, modules[seed % modules.size()], 1 + seed % 5,
					   seed);
			snprintf(current, sizeof(current), "%s, seed %u\n", argv[m + 3], seed);
			alarm(10);
			weft::readAnything(reinterpret_cast<const uint8_t *>(words.data()),
					   words.size() * sizeof(uint32_t));
		}
	}
	llvm::outs() << modules.size() * count << " modules\n";
	return 0;
}
