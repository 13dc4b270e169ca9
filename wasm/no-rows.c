#include "kb/rows.h"

/* Readers of the page would load them, and it opens the knowledge once for all answers. */
const unsigned char kb_carried[4];
