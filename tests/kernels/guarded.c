/* SPDX-License-Identifier: MIT
 *
 * Guard pages.
 */
#include "guarded.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct guarded guarded_new(size_t size, bool at_end)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (size + page - 1) / page * page;
	unsigned char *map =
		mmap(NULL, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED ||
	    (inner && mprotect(map + page, inner, PROT_READ | PROT_WRITE) != 0))
		abort();
	return (struct guarded){map + page + (at_end ? inner - size : 0), map, inner + 2 * page};
}

void guarded_free(const struct guarded *guarded)
{
	munmap(guarded->map, guarded->map_size);
}
