#pragma once

/*
 * products - what a PCI id is sold as
 *
 * Reads data/products.tsv, which is compiled in. The table names a product and
 * its kind; it is no evidence of the instruction set that a machine has, since
 * one name is sold with several.
 */

#include "base/span.h"

/* The text of data/products.tsv, as compiled in. */
extern const char data_products[];

struct product {
	struct span device;   /* "744c" */
	struct span revision; /* "c8", or "-" for any */
	struct span name;
	struct span gfx;      /* "gfx1100", or "-" */
	int integrated;       /* 1 part of a processor, 0 not, -1 not known */
	int virtual_function; /* 1 the id of an SR-IOV virtual function, 0 not, -1 not known */
	struct span source;
};

/* The next well-formed row; comments and everything else are skipped. */
bool products_next(struct span *rest, struct product *ret);

/*
 * The row of a device id, as sysfs writes it without 0x. One of its revision is
 * better than one of any. False, and *ret untouched, if the table has none.
 */
bool products_find(struct span table, struct span device, struct span revision,
		   struct product *ret);
