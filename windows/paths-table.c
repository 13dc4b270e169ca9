#include "door/paths.h"

#define CONTROL  "/reg/HKLM/SYSTEM/CurrentControlSet/Control"
#define ENUM     "/reg/HKLM/SYSTEM/CurrentControlSet/Enum/PCI"
#define DISPLAY  CONTROL "/Class/{4d36e968-e325-11ce-bfc1-08002be10318}"
#define SERVICES "/reg/HKLM/SYSTEM/CurrentControlSet/Services"
#define WSL      "/reg/HKCU/Software/Microsoft/Windows/CurrentVersion/Lxss"
#define SYSTEM   "/reg/HKLM/HARDWARE/DESCRIPTION/System"

/* The paths of a Windows machine; all are small, and belong into a brief snapshot. */
const struct path_rule paths_rules[] = {
	{ "/reg", ".", PATH_STATIC, PATH_BRIEF },
	{ "/reg/HKLM/SOFTWARE/Microsoft/Windows NT/CurrentVersion",
	  "ProductName CurrentBuildNumber UBR CurrentMajorVersionNumber CurrentMinorVersionNumber",
	  PATH_STATIC, PATH_BRIEF },
	{ SYSTEM "/CentralProcessor", ".", PATH_STATIC, PATH_BRIEF },
	{ SYSTEM "/CentralProcessor/0", "ProcessorNameString VendorIdentifier", PATH_STATIC,
	  PATH_BRIEF },
	{ SYSTEM "/BIOS",
	  "SystemManufacturer SystemProductName BaseBoardProduct BIOSVersion BIOSReleaseDate",
	  PATH_STATIC, PATH_BRIEF },
	{ CONTROL "/ComputerName/ActiveComputerName", "ComputerName", PATH_STATIC, PATH_BRIEF },

	/* adapters of displays, and their driver */
	{ ENUM, ".", PATH_STATIC, PATH_BRIEF },
	{ ENUM "/*", ".", PATH_STATIC, PATH_BRIEF },
	{ ENUM "/*/*", "ClassGUID Driver Service LocationInformation HardwareID ConfigFlags",
	  PATH_STATIC, PATH_BRIEF },
	{ SERVICES "/*/Enum", "Count *", PATH_STATIC, PATH_BRIEF },
	{ DISPLAY, ".", PATH_STATIC, PATH_BRIEF },
	{ DISPLAY "/*",
	  "MatchingDeviceId DriverDesc DriverVersion DriverDate RadeonSoftwareVersion "
	  "RadeonSoftwareEdition HardwareInformation.qwMemorySize",
	  PATH_STATIC, PATH_BRIEF },

	/* where a variable may have been set: only the watched ones are listed */
	{ "/reg/HKCU/Environment", ". *", PATH_STATIC, PATH_BRIEF },
	{ CONTROL "/Session Manager/Environment", ". *", PATH_STATIC, PATH_BRIEF },

	/* settings that bound a job, and the Visual C++ runtime */
	{ CONTROL "/Session Manager/Memory Management", "PagingFiles", PATH_STATIC, PATH_BRIEF },
	{ CONTROL "/FileSystem", "LongPathsEnabled", PATH_STATIC, PATH_BRIEF },
	{ CONTROL "/GraphicsDrivers", "TdrLevel TdrDelay", PATH_STATIC, PATH_BRIEF },
	{ "/reg/HKLM/SOFTWARE/Microsoft/VisualStudio/14.0/VC/Runtimes/x64", "Installed Version",
	  PATH_STATIC, PATH_BRIEF },

	/* WSL: a distribution's name and place are its user's own, and are not asked */
	{ WSL, ". DefaultDistribution", PATH_STATIC, PATH_BRIEF },
	{ WSL "/*", "State Version Flavor OsVersion", PATH_STATIC, PATH_BRIEF },
	{ "/reg/HKLM/SOFTWARE/Microsoft/Windows/CurrentVersion/Lxss/MSI", "Version", PATH_STATIC,
	  PATH_BRIEF },
	{ SERVICES "/WSLService", "Start", PATH_STATIC, PATH_BRIEF },
	{ SERVICES "/LxssManager", "Start", PATH_STATIC, PATH_BRIEF },
	{ SERVICES "/vmcompute", "Start", PATH_STATIC, PATH_BRIEF },

	/* the HIP SDK */
	{ "/C:/Program Files/AMD/ROCm", ".", PATH_STATIC, PATH_BRIEF },
};

const size_t paths_rule_count = sizeof(paths_rules) / sizeof(paths_rules[0]);
