#pragma once

/*
 * said-product - which product people mean: "rx 7900xtx", "780M", "MI250X"
 *
 * Names come from the products by PCI id that the program carries, and then from
 * the knowledge (gfx_target), where one is attached: "Ryzen AI Max+ 395".
 */

#include <sqlite3.h>

#include "base/arena.h"

struct said_product {
	struct span gfx;
	bool integrated;
};

/* The longest name that is said counts; one that is sold as two targets does not. */
bool said_product(struct span said, sqlite3 *db, struct arena *a, struct said_product *ret);
