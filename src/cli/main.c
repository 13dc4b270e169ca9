#include <stdio.h>

int main(void)
{
	puts("rocsteady " ROCSTEADY_VERSION);
	return 0;
}
