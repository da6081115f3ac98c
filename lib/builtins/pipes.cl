/* SPDX-License-Identifier: MIT
 *
 * Pipes: specification 6.15.14, and the functions of sub-groups in 6.15.19. Clang makes calls of these functions with the size and
 * the alignment of a packet. pipe_layout.h says how a pipe works. A reservation is a number: how many packets, and their first slot.
 *
 * Invariant: packets that are written are committed from the last to the first, so that readers, which come to the first one first,
 * find all of a reservation or none.
 */
#include "pipe_internal.h"
#include "pipe_layout.h"

#define PIPE __global struct weft_pipe *
#define NO_RESERVATION (~0ul)
#define IS_WRITTEN 1u /* subtracted from twice a lap: the state of a packet that can be read */
#define IS_READ 0u

HELPER PIPE read_end(read_only pipe int p)
{
	return (PIPE)__weft_pipe_read_end(p);
}

HELPER PIPE write_end(write_only pipe int p)
{
	return (PIPE)__weft_pipe_write_end(p);
}

#define PIPE_FIELD(p, field) __weft_pipe_field(p, __builtin_offsetof(struct weft_pipe, field))

/* ---- reservations ----------------------------------------------------------------------------- */

HELPER __global uint *state_at(PIPE p, uint position)
{
	return &p->states[position & PIPE_FIELD(p, last_slot)];
}

/* How many of the packets from a position on have the state, counted up to `most`. */
HELPER uint count_with(PIPE p, ulong position, uint most, uint state)
{
	uint count = 0;
	while (count < most && __atomic_load_n(state_at(p, (uint)position), __ATOMIC_ACQUIRE) ==
				       (uint)(position >> PIPE_FIELD(p, slot_bits)) * 2 - state) {
		count++;
		position++;
	}
	return count;
}

/* Takes up to `most` positions from `next`, and no fewer than `least`: those for which the packets `distance` positions before have
 * the state. That there are fewer is true of a moment: `next` is the same before and after. */
HELPER ulong take(PIPE p, __global ulong *next, uint distance, uint state, uint least, uint most)
{
	ulong position = __atomic_load_n(next, __ATOMIC_RELAXED);
	for (;;) {
		uint count = count_with(p, position - distance, most, state);
		if (count < least) {
			ulong now = __atomic_load_n(next, __ATOMIC_RELAXED);
			if (now == position)
				return NO_RESERVATION;
			position = now;
		} else if (__atomic_compare_exchange_n(next, &position, position + count, true,
						       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			return (ulong)count << 32 | ((uint)position & PIPE_FIELD(p, last_slot));
		}
	}
}

/* A pipe of packets of another size has none for the kernel, and no room. */
HELPER bool suits(PIPE p, uint count, uint size)
{
	return count <= PIPE_FIELD(p, max_packets) && size == PIPE_FIELD(p, packet_size);
}

HELPER ulong reserve_read(PIPE p, uint count, uint size)
{
	return suits(p, count, size) ? take(p, &p->head, 0, IS_WRITTEN, count, count)
				     : NO_RESERVATION;
}

HELPER ulong reserve_write(PIPE p, uint count, uint size)
{
	return suits(p, count, size)
		       ? take(p, &p->tail, PIPE_FIELD(p, max_packets), IS_READ, count, count)
		       : NO_RESERVATION;
}

HELPER void commit(PIPE p, ulong reservation)
{
	uint first = (uint)reservation;
	for (uint i = (uint)(reservation >> 32); i > 0; i--) {
		__global uint *state = state_at(p, first + i - 1);
		__atomic_store_n(state, __atomic_load_n(state, __ATOMIC_RELAXED) + 1,
				 __ATOMIC_RELEASE);
	}
}

/* ---- packets ---------------------------------------------------------------------------------- */

HELPER __global char *packet_at(PIPE p, ulong reservation, uint index, uint size)
{
	uint slot = ((uint)reservation + index) & PIPE_FIELD(p, last_slot);
	return (__global char *)p + (ulong)PIPE_FIELD(p, packets) * WEFT_PIPE_ALIGNMENT +
	       (ulong)slot * size;
}

#define COPY_AS(type)                                                                              \
	if (size == sizeof(type) && align == sizeof(type))                                         \
		*(type *)to = *(const type *)from;                                                 \
	else

/* Size and alignment are constants where it is called. */
HELPER void copy_packet(void *to, const void *from, uint size, uint align)
{
	COPY_AS(uchar)
	COPY_AS(ushort)
	COPY_AS(uint)
	COPY_AS(ulong)
	__builtin_memcpy(to, from, size);
}

/* ---- by a work-item --------------------------------------------------------------------------- */

HELPER ulong or_yield(ulong reservation)
{
	if (reservation == NO_RESERVATION)
		__weft_yield();
	return reservation;
}

int __read_pipe_2(read_only pipe int p, void *packet, uint size, uint align)
{
	ulong reservation = or_yield(reserve_read(read_end(p), 1, size));
	if (reservation == NO_RESERVATION)
		return -1;
	copy_packet(packet, packet_at(read_end(p), reservation, 0, size), size, align);
	commit(read_end(p), reservation);
	return 0;
}

int __write_pipe_2(write_only pipe int p, void *packet, uint size, uint align)
{
	ulong reservation = or_yield(reserve_write(write_end(p), 1, size));
	if (reservation == NO_RESERVATION)
		return -1;
	copy_packet(packet_at(write_end(p), reservation, 0, size), packet, size, align);
	commit(write_end(p), reservation);
	return 0;
}

/* Whether the packet is one of the reservation. */
HELPER bool has_packet(reserve_id_t id, uint index)
{
	ulong reservation = __weft_reservation_number(id);
	return reservation != NO_RESERVATION && index < (uint)(reservation >> 32);
}

int __read_pipe_4(read_only pipe int p, reserve_id_t id, uint index, void *packet, uint size,
		  uint align)
{
	if (!has_packet(id, index))
		return -1;
	copy_packet(packet, packet_at(read_end(p), __weft_reservation_number(id), index, size),
		    size, align);
	return 0;
}

int __write_pipe_4(write_only pipe int p, reserve_id_t id, uint index, void *packet, uint size,
		   uint align)
{
	if (!has_packet(id, index))
		return -1;
	copy_packet(packet_at(write_end(p), __weft_reservation_number(id), index, size), packet,
		    size, align);
	return 0;
}

reserve_id_t __reserve_read_pipe(read_only pipe int p, uint count, uint size, uint align)
{
	__weft_alone();
	return __weft_reservation(or_yield(reserve_read(read_end(p), count, size)));
}

reserve_id_t __reserve_write_pipe(write_only pipe int p, uint count, uint size, uint align)
{
	__weft_alone();
	return __weft_reservation(or_yield(reserve_write(write_end(p), count, size)));
}

HELPER void commit_valid(PIPE p, reserve_id_t id)
{
	ulong reservation = __weft_reservation_number(id);
	if (reservation != NO_RESERVATION)
		commit(p, reservation);
}

void __commit_read_pipe(read_only pipe int p, reserve_id_t id, uint size, uint align)
{
	commit_valid(read_end(p), id);
}

void __commit_write_pipe(write_only pipe int p, reserve_id_t id, uint size, uint align)
{
	commit_valid(write_end(p), id);
}

WEFT bool is_valid_reserve_id(reserve_id_t id)
{
	return __weft_reservation_number(id) != NO_RESERVATION;
}

WEFT reserve_id_t __weft_null_reserve_id(void)
{
	return __weft_reservation(NO_RESERVATION);
}

/* ---- by a work-group -------------------------------------------------------------------------- */

/* What all work-items ask for, before one of them does it for all. */
struct request {
	PIPE p;
	ulong reservation;
	uint count;
	uint size;
};

ONCE ulong __weft_once_pipe_reserve_read(const __private struct request *request)
{
	return reserve_read(request->p, request->count, request->size);
}

ONCE ulong __weft_once_pipe_reserve_write(const __private struct request *request)
{
	return reserve_write(request->p, request->count, request->size);
}

ONCE void __weft_once_pipe_commit(const __private struct request *request)
{
	if (request->reservation != NO_RESERVATION)
		commit(request->p, request->reservation);
}

HELPER bool first_work_item(void)
{
	return (__weft_local_id(0) | __weft_local_id(1) | __weft_local_id(2)) == 0;
}

#define GROUP_FORMS(access, end)                                                                   \
	WEFT_TOGETHER reserve_id_t __work_group_reserve_##access##_pipe(                           \
		access##_only pipe int p, uint count, uint size, uint align)                       \
	{                                                                                          \
		struct request request = {end(p), 0, count, size};                                 \
		__weft_barrier();                                                                  \
		ulong reservation = __weft_once_pipe_reserve_##access(&request);                   \
		if (reservation == NO_RESERVATION && first_work_item())                            \
			__weft_yield();                                                            \
		return __weft_reservation(reservation);                                            \
	}                                                                                          \
	WEFT_TOGETHER void __work_group_commit_##access##_pipe(                                    \
		access##_only pipe int p, reserve_id_t id, uint size, uint align)                  \
	{                                                                                          \
		struct request request = {end(p), __weft_reservation_number(id), 0, 0};            \
		__weft_barrier();                                                                  \
		__weft_once_pipe_commit(&request);                                                 \
	}

GROUP_FORMS(read, read_end)
GROUP_FORMS(write, write_end)

/* ---- by a sub-group --------------------------------------------------------------------------- */

HELPER uint first_active(void)
{
	return (uint)__builtin_ctz(__weft_sub_ballot(1));
}

HELPER bool first_lane(void)
{
	return __weft_sub_lane() == first_active();
}

#define SUB_GROUP_FORMS(access, end)                                                               \
	WEFT_TOGETHER reserve_id_t __sub_group_reserve_##access##_pipe(                            \
		access##_only pipe int p, uint count, uint size, uint align)                       \
	{                                                                                          \
		ulong reservation = NO_RESERVATION;                                                \
		if (first_lane())                                                                  \
			reservation = or_yield(reserve_##access(end(p), count, size));             \
		return __weft_reservation(__weft_sub_shuffle_ulong(reservation, first_active()));  \
	}                                                                                          \
	WEFT_TOGETHER void __sub_group_commit_##access##_pipe(                                     \
		access##_only pipe int p, reserve_id_t id, uint size, uint align)                  \
	{                                                                                          \
		__weft_sub_barrier();                                                              \
		if (first_lane())                                                                  \
			commit_valid(end(p), id);                                                  \
	}

SUB_GROUP_FORMS(read, read_end)
SUB_GROUP_FORMS(write, write_end)

/* ---- queries ---------------------------------------------------------------------------------- */

/* Those that a reader could take now. */
HELPER uint num_packets(PIPE p)
{
	return count_with(p, __atomic_load_n(&p->head, __ATOMIC_RELAXED),
			  PIPE_FIELD(p, max_packets), IS_WRITTEN);
}

/* A reader may ask until there are more of them, however many it looks for. */
uint __get_pipe_num_packets_ro(read_only pipe int p, uint size, uint align)
{
	uint count = num_packets(read_end(p));
	if (count < PIPE_FIELD(read_end(p), max_packets))
		__weft_yield();
	return count;
}

/* A writer, until there are fewer. */
uint __get_pipe_num_packets_wo(write_only pipe int p, uint size, uint align)
{
	uint count = num_packets(write_end(p));
	if (count > 0)
		__weft_yield();
	return count;
}

uint __get_pipe_max_packets_ro(read_only pipe int p, uint size, uint align)
{
	return PIPE_FIELD(read_end(p), max_packets);
}

uint __get_pipe_max_packets_wo(write_only pipe int p, uint size, uint align)
{
	return PIPE_FIELD(write_end(p), max_packets);
}
