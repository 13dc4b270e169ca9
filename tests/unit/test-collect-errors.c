#include "check-facts.h"

#define PORT "/sys/devices/pci0000:00/0000:00:01.1"
#define GPU  PORT "/0000:03:00.0"
#define MC   "/sys/devices/system/edac/mc"

#define MACHINE                                                                      \
	"dir /sys/bus/pci/devices\n\t0000:00:01.1@\n\t0000:03:00.0@\n"               \
	"link /sys/bus/pci/devices/0000:00:01.1 ../../../devices/pci0000:00/"        \
	"0000:00:01.1\n"                                                             \
	"link /sys/bus/pci/devices/0000:03:00.0 ../../../devices/pci0000:00/"        \
	"0000:00:01.1/0000:03:00.0\n"                                                \
	"file " PORT "/class\n\t0x060400\nfile " GPU "/class\n\t0x120000\nfile " GPU \
	"/vendor\n\t0x1002\n"

#define F(path, text) "file " path "\n\t" text "\n"
#define GAPS \
	"SELECT subject, standing, source FROM gap WHERE topic = 'pcie_error' AND subject <> ''"

#define CLEAN(at)                                                      \
	F(at "/aer_dev_fatal", "DLP 0\n\tTOTAL_ERR_FATAL 0")           \
	F(at "/aer_dev_nonfatal", "CmpltTO 0\n\tTOTAL_ERR_NONFATAL 0") \
	F(at "/aer_dev_correctable", "RxErr 0\n\tTOTAL_ERR_COR 0")

static const struct facts_case cases[] = {
	{ "what was counted at the GPU and at the port above it",
	  MACHINE CLEAN(PORT) CLEAN(GPU) F(GPU "/aer_dev_correctable", "RxErr 0\n\tBad TLP 4")
		  F(PORT "/aer_dev_fatal", "DLP 2\n\tSDES 0\n\tTOTAL_ERR_FATAL 2"),
	  "SELECT device, address, severity, name, count FROM pcie_error ORDER BY severity",
	  "0000:03:00.0|0000:03:00.0|correctable|Bad TLP|4\n"
	  "0000:03:00.0|0000:00:01.1|fatal|DLP|2" },
	{ "no errors are no rows and no gap", MACHINE CLEAN(PORT) CLEAN(GPU),
	  "SELECT (SELECT count(*) FROM pcie_error), (SELECT count(*) FROM gap WHERE topic = "
	  "'pcie_error')",
	  "0|0" },
	{ "a function without counters is asked once",
	  MACHINE CLEAN(PORT) "file " GPU "/aer_dev_fatal !ENOENT\n", GAPS,
	  "0000:03:00.0|absent|/sys/bus/pci/devices/0000:03:00.0/aer_dev_fatal" },
	{ "counters that count nothing",
	  MACHINE CLEAN(GPU) CLEAN(PORT) F(PORT "/aer_dev_nonfatal", "nonsense"), GAPS,
	  "0000:03:00.0|broken|/sys/bus/pci/devices/0000:00:01.1/aer_dev_nonfatal" },

	{ "memory controllers",
	  "dir " MC "\n\tmc0/\n\tmc1/\n\tpower/\n" F(MC "/mc0/mc_name", "F19h_M10h")
		  F(MC "/mc0/ue_count", "1") F(MC "/mc0/ce_count", "812") F(MC "/mc1/ue_count", "0")
			  F(MC "/mc1/ce_count", "0"),
	  "SELECT name, kind, uncorrectable, correctable FROM memory_controller",
	  "mc0|F19h_M10h|1|812\nmc1|-|0|0" },
	{ "a host that watches no memory", "dir " MC " !ENOENT\n",
	  "SELECT standing FROM gap WHERE topic = 'memory_controller'", "absent" },
	{ "a count that is none", "dir " MC "\n\tmc0/\n" F(MC "/mc0/ue_count", "none"),
	  "SELECT subject, standing FROM gap WHERE topic = 'memory_controller.uncorrectable'",
	  "mc0|broken" },
	{ "a count that does not answer", "dir " MC "\n\tmc0/\nfile " MC "/mc0/ue_count !STUCK\n",
	  "SELECT subject, standing FROM gap WHERE topic = 'memory_controller.uncorrectable'",
	  "mc0|stuck" },
};

int main(void)
{
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	return check_end();
}
