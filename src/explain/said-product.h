#pragma once

/*
 * said-product - which product people mean: "rx 7900xtx", "780M", "MI250X"
 */

#include "facts/products.h"

/* The longest name of the table that is said counts; one that is sold as two targets does not. */
bool said_product(struct span said, struct product *ret);
