/* SPDX-License-Identifier: MIT
 *
 * One record of the trace: what a thread, a queue or a part of a device does from some time on.
 */
#ifndef WEFT_RUNTIME_TRACE_RECORD_H
#define WEFT_RUNTIME_TRACE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#define WEFT_TRACE_NAME_SIZE 40

enum weft_trace_kind {
	/* Of a thread. */
	WEFT_TRACE_ENTER, /* what it works on from here */
	WEFT_TRACE_LEAVE, /* until here */
	WEFT_TRACE_READY, /* what it worked on then made a command ready */
	/* Of a queue. */
	WEFT_TRACE_QUEUE, /* its name */
	WEFT_TRACE_WAIT,  /* a command is enqueued */
	WEFT_TRACE_BEGIN,
	WEFT_TRACE_END,
	WEFT_TRACE_DROP, /* it ends without having begun */
	/* Of a part of a device, in simulated time. */
	WEFT_TRACE_PART, /* its name */
	WEFT_TRACE_SPAN, /* what it worked on */
	WEFT_TRACE_FROM, /* and the ends of an arrow to what could begin by that */
	WEFT_TRACE_TO,
};

struct weft_trace_record {
	uint8_t kind;    /* enum weft_trace_kind */
	bool arrow;      /* ENTER: the end of an arrow that READY begins */
	uint16_t images; /* ENTER: how many images a kernel's arguments are */
	uint32_t queue;  /* 0: none */
	uint64_t command;
	uint64_t time;                   /* ns */
	uint64_t duration;               /* ns; of SPAN */
	uint32_t device;                 /* of SPAN, PART, FROM, TO, as the driver numbers them */
	uint32_t part;                   /* of the device; 0: the device itself */
	char name[WEFT_TRACE_NAME_SIZE]; /* any bytes; of ENTER, QUEUE, BEGIN, END, PART, SPAN */
};

#endif
