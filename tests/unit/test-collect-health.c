#include "check-facts.h"

#define BUS "/sys/bus/pci/devices"
#define GPU "/sys/bus/pci/devices/0000:03:00.0"

#define MACHINE                                                                   \
	"dir " BUS "\n\t0000:03:00.0/\nfile " GPU "/class\n\t0x120000\nfile " GPU \
	"/vendor\n\t0x1002\n"

#define F(file, text) "file " GPU "/" file "\n\t" text "\n"

#define HWMON "dir " GPU "/hwmon\n\thwmon4/\ndir " GPU "/hwmon/hwmon4\n"

/* A Radeon at rest. */
#define SENSORS                                                                                    \
	HWMON "\tname\n\ttemp1_input\n\ttemp1_label\n\ttemp1_crit\n\ttemp2_input\n"                \
	      "\ttemp2_label\n\ttemp2_crit\n\ttemp3_input\n\ttemp3_label\n\ttemp3_crit\n"          \
	      "\tpower1_average\n\tpower1_cap\n" F("hwmon/hwmon4/temp1_input", "41000")            \
		      F("hwmon/hwmon4/temp1_label", "edge") F("hwmon/hwmon4/temp1_crit", "100000") \
			      F("hwmon/hwmon4/temp2_input",                                        \
				"44500") F("hwmon/hwmon4/temp2_label",                             \
					   "junction") F("hwmon/hwmon4/temp2_crit", "110000")      \
				      F("hwmon/hwmon4/temp3_input",                                \
					"-3000") F("hwmon/hwmon4/temp3_label",                     \
						   "mem") F("hwmon/hwmon4/temp3_crit", "108000")   \
					      F("hwmon/hwmon4/power1_average", "21000000")         \
						      F("hwmon/hwmon4/power1_cap", "339000000")

#define GAPS(table) \
	"SELECT standing, detail, source FROM gap WHERE topic = '" table "' AND subject <> ''"

static const struct facts_case cases[] = {
	{ "firmware, by name",
	  MACHINE "dir " GPU "/fw_version\n\tmec_fw_version\n\tta_ras_fw_version\n\tother\n" F(
		  "fw_version/mec_fw_version", "0x0000001b")
		  F("fw_version/ta_ras_fw_version", "0x1b000201"),
	  "SELECT address, name, version, source FROM firmware",
	  "0000:03:00.0|mec|0x0000001b|" GPU "/fw_version/mec_fw_version\n"
	  "0000:03:00.0|ta_ras|0x1b000201|" GPU "/fw_version/ta_ras_fw_version" },
	{ "no firmware directory", MACHINE "dir " GPU "/fw_version !ENOENT\n", GAPS("firmware"),
	  "absent|ENOENT|" GPU "/fw_version" },
	{ "a firmware that does not answer",
	  MACHINE "dir " GPU "/fw_version\n\tmec_fw_version\n"
		  "file " GPU "/fw_version/mec_fw_version !STUCK\n",
	  GAPS("firmware"), "stuck|STUCK|" GPU "/fw_version/mec_fw_version" },
	{ "an empty version",
	  MACHINE "dir " GPU "/fw_version\n\tmec_fw_version\n" F("fw_version/mec_fw_version", ""),
	  GAPS("firmware"), "absent|ENODATA|" GPU "/fw_version/mec_fw_version" },

	{ "error counts, deferred ones where they are counted",
	  MACHINE "dir " GPU "/ras\n\tfeatures\n\tumc_err_count\n\txgmi_wafl_err_count\n" F(
		  "ras/umc_err_count", "ue: 1\n\tce: 17\n\tde: 2")
		  F("ras/xgmi_wafl_err_count", "ue: 0\n\tce: 0"),
	  "SELECT block, uncorrectable, correctable, deferred FROM ras",
	  "umc|1|17|2\nxgmi_wafl|0|0|-" },
	{ "during a reset nothing is counted, which is not zero",
	  MACHINE "dir " GPU
		  "/ras\n\tumc_err_count\n" F("ras/umc_err_count", "Query currently inaccessible"),
	  GAPS("ras"), "busy|EBUSY|" GPU "/ras/umc_err_count" },
	{ "a counter that counts nothing",
	  MACHINE "dir " GPU "/ras\n\tumc_err_count\n" F("ras/umc_err_count", "fine"), GAPS("ras"),
	  "broken|EBADMSG|" GPU "/ras/umc_err_count" },
	{ "a GPU asleep is not woken for its counters",
	  MACHINE "dir " GPU "/ras\n\tumc_err_count\nfile " GPU "/ras/umc_err_count !ASLEEP\n",
	  GAPS("ras"), "unasked|ASLEEP|" GPU "/ras/umc_err_count" },
	{ "no counters at all", MACHINE "dir " GPU "/ras !ENOENT\n", GAPS("ras"),
	  "absent|ENOENT|" GPU "/ras" },

	{ "degrees and watts", MACHINE SENSORS, "SELECT name, value, unit, critical FROM sensor",
	  "edge|41.0|C|100.0\njunction|44.5|C|110.0\nmem|-3.0|C|108.0\npower|21.0|W|-\n"
	  "power_cap|339.0|W|-" },
	{ "a healthy monitor leaves no gap", MACHINE SENSORS, GAPS("sensor"), "" },
	{ "an APU has one temperature, no limit, power of the moment",
	  MACHINE HWMON
	  "\ttemp1_input\n\ttemp1_label\n\tpower1_input\n" F("hwmon/hwmon4/temp1_input", "52000")
		  F("hwmon/hwmon4/temp1_label", "edge") F("hwmon/hwmon4/power1_input", "15135000"),
	  "SELECT name, value, unit, critical, (SELECT count(*) FROM gap WHERE topic GLOB 'sensor*')"
	  " FROM sensor",
	  "edge|52.0|C|-|0\npower|15.135|W|-|0" },
	{ "no label, no invented name",
	  MACHINE HWMON "\ttemp1_input\n" F("hwmon/hwmon4/temp1_input", "52000"),
	  "SELECT name, value FROM sensor", "temp1|52.0" },
	{ "an empty power limit", MACHINE HWMON "\tpower1_cap\n" F("hwmon/hwmon4/power1_cap", ""),
	  GAPS("sensor"), "absent|ENODATA|" GPU "/hwmon/hwmon4/power1_cap" },
	{ "a temperature that is none",
	  MACHINE HWMON "\ttemp1_input\n" F("hwmon/hwmon4/temp1_input", "hot"), GAPS("sensor"),
	  "broken|EBADMSG|" GPU "/hwmon/hwmon4/temp1_input" },
	{ "a limit that is denied costs only itself",
	  MACHINE HWMON "\ttemp1_input\n\ttemp1_crit\n" F(
		  "hwmon/hwmon4/temp1_input", "52000") "file " GPU
						       "/hwmon/hwmon4/temp1_crit !EPERM\n",
	  "SELECT value, critical, (SELECT standing FROM gap WHERE topic = 'sensor.critical')"
	  " FROM sensor",
	  "52.0|-|denied" },
	{ "the power limit of the board beside the one in force",
	  MACHINE HWMON
	  "\tpower1_cap\n\tpower1_cap_default\n" F("hwmon/hwmon4/power1_cap", "550000000")
		  F("hwmon/hwmon4/power1_cap_default", "750000000"),
	  "SELECT name, value FROM sensor", "power_cap|550.0\npower_cap_default|750.0" },
	{ "no monitor", MACHINE "dir " GPU "/hwmon !ENOENT\n", GAPS("sensor"),
	  "absent|ENOENT|" GPU "/hwmon" },
	{ "an empty directory", MACHINE "dir " GPU "/hwmon\n", GAPS("sensor"),
	  "absent|ENOENT|" GPU "/hwmon" },
	{ "a monitor that nobody looked into", MACHINE "dir " GPU "/hwmon\n\thwmon4/\n",
	  GAPS("sensor"), "unasked|UNASKED|" GPU "/hwmon/hwmon4" },
};

int main(void)
{
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	return check_end();
}
