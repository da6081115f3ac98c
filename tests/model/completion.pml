/* SPDX-License-Identifier: MIT
 *
 * How commands end and start others (src/runtime/node/edges.c, node/node.c, graph/event_order.c): lists of edges that many add to
 * and one closes, and countdowns. Two commands wait for the same two, each enqueued by a thread of its own, while the
 * two end.
 *
 * Properties: a command starts once, after all it waits for has ended; no process reads memory of a command that has been
 * made ready, for it may have ended; when nothing can go on, all have started. MISTAKE chooses a mistake.
 */
#define SOURCES 2
#define WAITERS 2

#define LATE_NEXT 1 /* the process that tells an edge reads its successor afterwards */
#define UNGUARDED 2 /* a command counts its edges as it adds them, from none */
#define BLIND 3     /* adding does not see that the list is closed */
#define UNCHECKED 4 /* adding stores the head without comparing it */
#ifndef MISTAKE
#define MISTAKE 0
#endif

#define NONE 0                               /* the end of a list */
#define CLOSED 255                           /* weft_edges_end */
#define UNCOUNTED 100                        /* of event_order.c */
#define EDGE(waiter, source) ((waiter) * SOURCES + (source) + 1)
#define WAITER_OF(edge) (((edge) - 1) / SOURCES)

byte head[SOURCES];                /* weft_edges.head */
byte next[WAITERS * SOURCES + 1];  /* weft_edge.next: memory of the waiter */
bool ended[SOURCES];
short unmet[WAITERS];
byte started[WAITERS];             /* how often */

/* weft_event_make_ready: the command may run, end and be gone from here on. */
inline make_ready(waiter)
{
	d_step {
		started[waiter]++;
		assert(started[waiter] == 1);
		assert(ended[0] && ended[1])
	}
}

/* weft_edges_add: `added` says whether the list was open. */
inline add(source, edge, seen, added)
{
	seen = head[source];
	do
#if MISTAKE != BLIND
	:: seen == CLOSED -> added = false; break
	:: seen != CLOSED ->
#else
	:: true ->
#endif
		next[edge] = seen;
#if MISTAKE == UNCHECKED
		head[source] = edge;
		added = true;
		break
#else
		atomic { /* the exchange; its failure reads again */
			if
			:: head[source] == seen -> head[source] = edge; added = true; break
			:: else -> seen = head[source]
			fi
		}
#endif
	od
}

/* submit: the edges, then the rest of `unmet`. */
proctype enqueue(byte waiter)
{
	byte source, seen, edges;
	bool added;
	short before;

#if MISTAKE == UNGUARDED
	for (source : 0 .. SOURCES - 1) {
		add(source, EDGE(waiter, source), seen, added);
		if
		:: added -> unmet[waiter]++
		:: else
		fi
	}
	if
	:: unmet[waiter] == 0 -> make_ready(waiter)
	:: else
	fi
#else
	unmet[waiter] = UNCOUNTED;
	for (source : 0 .. SOURCES - 1) {
		add(source, EDGE(waiter, source), seen, added);
		if
		:: added -> edges++
		:: else
		fi
	}
	atomic {
		before = unmet[waiter];
		unmet[waiter] = before - (UNCOUNTED - edges)
	}
	if
	:: before == UNCOUNTED - edges -> make_ready(waiter)
	:: else
	fi
#endif
}

/* weft_node_tell_waiters: weft_edges_close, then weft_edges_meet. */
proctype end(byte source)
{
	byte edge, following;
	short before;

	ended[source] = true;
	atomic { edge = head[source]; head[source] = CLOSED }
	do
	:: edge == NONE || edge == CLOSED -> break
	:: else ->
#if MISTAKE != LATE_NEXT
		assert(started[WAITER_OF(edge)] == 0);
		following = next[edge];
#endif
		atomic { before = unmet[WAITER_OF(edge)]; unmet[WAITER_OF(edge)] = before - 1 }
		if
		:: before == 1 -> make_ready(WAITER_OF(edge))
		:: else
		fi;
#if MISTAKE == LATE_NEXT
		assert(started[WAITER_OF(edge)] == 0);
		following = next[edge];
#endif
		edge = following
	od
}

init
{
	atomic { run enqueue(0); run enqueue(1); run end(0); run end(1) }
	timeout -> assert(started[0] == 1 && started[1] == 1)
}
