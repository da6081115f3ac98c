/* SPDX-License-Identifier: MIT
 *
 * Which of a kernel's automatic transfers pay, and fit into local memory.
 */
#include "simulation/transfers.h"

#include "simulation/cycles.h"

static struct accel_transfer_request request_of(const struct accel_description *machine,
						const struct weft_transfer_desc *desc,
						const uint64_t local_size[3])
{
	const uint64_t sizes[] = {local_size[0], local_size[1], local_size[2], desc->iterations};
	const uint64_t line = sizes[desc->along] * desc->unit;
	uint64_t lines = 1;

	for (uint32_t d = 0; d <= WEFT_TRANSFER_ITERATIONS; d++)
		lines *= desc->lines >> d & 1 ? sizes[d] : 1;
	return (struct accel_transfer_request){
		.region = desc->region,
		.writes = desc->flags & WEFT_TRANSFER_WRITES,
		.ahead = desc->flags & WEFT_TRANSFER_AHEAD,
		.bytes = lines * line,
		.cycles = lines * accel_moving_cycles(machine, line),
	};
}

/* Each element of a cluster must save more than twice the time of the request. */
static bool pays(const struct accel_description *machine, const struct weft_transfer_desc *desc,
		 const struct accel_transfer_request *request, uint64_t num_items)
{
	if (machine->global_latency <= machine->local_latency)
		return false;
	const uint64_t saved = machine->global_latency - machine->local_latency;
	const double all = (double)num_items * desc->accesses * (double)saved;
	const uint64_t taken = machine->dma_latency + request->cycles;

	return all / (double)machine->elements > 2 * (double)taken;
}

static void drop_largest(struct accel_transfers *transfers)
{
	uint32_t largest = 0;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < transfers->num_requests; i++) {
		if (transfers->chosen >> i & 1 && transfers->requests[i].bytes >= bytes) {
			largest = i;
			bytes = transfers->requests[i].bytes;
		}
	}
	transfers->chosen &= ~(UINT64_C(1) << largest);
	transfers->bytes -= bytes;
}

void accel_transfers_choose(struct accel_transfers *transfers,
			    const struct accel_description *machine,
			    const struct accel_transfer_options *options, uint64_t local_bytes)
{
	const uint64_t *sizes = options->local_size;

	transfers->chosen = 0;
	transfers->bytes = 0;
	transfers->num_requests = machine->transfers ? options->num_descs : 0;
	for (uint32_t i = 0; i < transfers->num_requests; i++) {
		struct accel_transfer_request *request = &transfers->requests[i];

		*request = request_of(machine, &options->descs[i], sizes);
		if (request->bytes > machine->local_bytes ||
		    !pays(machine, &options->descs[i], request, sizes[0] * sizes[1] * sizes[2]))
			continue;
		transfers->chosen |= UINT64_C(1) << i;
		transfers->bytes += request->bytes;
	}
	while (transfers->chosen && transfers->bytes + local_bytes > machine->local_bytes)
		drop_largest(transfers);
}

void accel_transfers_place(struct accel_transfers *transfers,
			   const struct accel_description *machine, uint64_t local_bytes,
			   uint32_t groups)
{
	uint64_t again = 0;

	for (uint32_t i = 0; i < transfers->num_requests; i++) {
		if (transfers->chosen >> i & 1 && transfers->requests[i].ahead)
			again += transfers->requests[i].bytes;
	}
	if (local_bytes + transfers->bytes + again <= machine->local_bytes / groups)
		return;
	for (uint32_t i = 0; i < transfers->num_requests; i++)
		transfers->requests[i].ahead = false;
}
