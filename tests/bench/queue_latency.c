/* SPDX-License-Identifier: MIT
 *
 * What it costs to hand a command on: nanoseconds per item of the deque, alone and while others steal, and of the
 * queue. Prints one line per figure; asserts nothing.
 */
#include "clock.h"
#include "deque.h"
#include "mpsc_queue.h"

#include <pthread.h>
#include <stdio.h>

#define ITEMS 2000000
#define BURST 16

static struct weft_deque deque;
static _Atomic bool over;
static int item;

/* The owner puts `BURST` items in, and takes what is left of them. */
static void push_and_take(const char *what)
{
	uint64_t start = weft_clock_now();

	for (int i = 0; i < ITEMS / BURST; i++) {
		for (int k = 0; k < BURST; k++)
			(void)!weft_deque_push(&deque, &item);
		while (weft_deque_take(&deque))
			;
	}
	printf("%-48s %8.1f ns\n", what, (double)(weft_clock_now() - start) / ITEMS);
}

static void *steal(void *unused)
{
	while (!atomic_load_explicit(&over, memory_order_relaxed))
		(void)weft_deque_steal(&deque);
	return unused;
}

static void push_and_steal(void)
{
	uint64_t start = weft_clock_now();

	for (int i = 0; i < ITEMS / BURST; i++) {
		for (int k = 0; k < BURST; k++)
			(void)!weft_deque_push(&deque, &item);
		while (weft_deque_steal(&deque))
			;
	}
	printf("%-48s %8.1f ns\n", "deque, pushed and stolen, alone",
	       (double)(weft_clock_now() - start) / ITEMS);
}

static void queue(void)
{
	static struct weft_list nodes[BURST];
	struct weft_mpsc_queue box;
	struct weft_list taken;

	weft_mpsc_queue_init(&box);
	weft_list_init(&taken);
	uint64_t start = weft_clock_now();
	for (int i = 0; i < ITEMS / BURST; i++) {
		for (int k = 0; k < BURST; k++)
			weft_mpsc_queue_push(&box, &nodes[k]);
		while (weft_mpsc_queue_take(&box, 4, BURST, &taken) > 0)
			weft_list_init(&taken);
	}
	printf("%-48s %8.1f ns\n", "queue, pushed and taken",
	       (double)(weft_clock_now() - start) / ITEMS);
	weft_mpsc_queue_destroy(&box);
}

int main(void)
{
	pthread_t thief;

	push_and_take("deque, pushed and taken, alone");
	push_and_steal();
	if (pthread_create(&thief, NULL, steal, NULL) == 0) {
		push_and_take("deque, pushed and taken, beside a thief");
		atomic_store(&over, true);
		pthread_join(thief, NULL);
	}
	queue();
	return 0;
}
