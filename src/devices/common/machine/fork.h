/* SPDX-License-Identifier: MIT
 *
 * Devices that survive a fork: in the child, where only the forking thread lives, each open device
 * starts anew, with no lock held, no thread and no command.
 */
#ifndef WEFT_DEVICES_FORK_H
#define WEFT_DEVICES_FORK_H

#include "list.h"

/* Embedded in a device from open to close. */
struct weft_fork_node {
	struct weft_list link;
	/* Runs in the child, which has no other thread: brings the device to its state after open.
	 */
	void (*restart)(struct weft_fork_node *node);
};

void weft_fork_add(struct weft_fork_node *node);
void weft_fork_remove(struct weft_fork_node *node);

#endif
