"""The machine around the GPUs: processor, board, distribution, memory, user."""

from dataclasses import dataclass, field


@dataclass
class Distribution:
    id: str
    version: str
    name: str
    render: int  # gid of the group render
    video: int
    rocm_in_opt: bool = True
    journal: bool = True  # /var/log/journal is kept
    restrict: int = 1  # dmesg_restrict

    @property
    def os_release(self):
        lines = [f'PRETTY_NAME="{self.name}"', f'NAME="{self.name.split()[0]}"']
        if self.version:
            lines.append(f'VERSION_ID="{self.version}"')
        lines.append(f"ID={self.id}")
        return "\n".join(lines)


UBUNTU_2204 = Distribution("ubuntu", "22.04", "Ubuntu 22.04.5 LTS", 109, 44)
UBUNTU_2404 = Distribution("ubuntu", "24.04", "Ubuntu 24.04.3 LTS", 992, 44)
UBUNTU_2604 = Distribution("ubuntu", "26.04", "Ubuntu 26.04 LTS", 991, 44)
DEBIAN_12 = Distribution("debian", "12", "Debian GNU/Linux 12 (bookworm)", 105, 44, restrict=1)
DEBIAN_13 = Distribution("debian", "13", "Debian GNU/Linux 13 (trixie)", 992, 44, restrict=1)
FEDORA_42 = Distribution("fedora", "42", "Fedora Linux 42 (Workstation Edition)", 105, 39,
                         rocm_in_opt=False, restrict=0)
ARCH = Distribution("arch", "", "Arch Linux", 989, 986, restrict=0)
TUMBLEWEED = Distribution("opensuse-tumbleweed", "20251108", "openSUSE Tumbleweed", 484, 483,
                          rocm_in_opt=False, restrict=1)
RHEL_9 = Distribution("rhel", "9.5", "Red Hat Enterprise Linux 9.5 (Plow)", 105, 39, restrict=0)
GENTOO = Distribution("gentoo", "2.17", "Gentoo Linux", 28, 27, rocm_in_opt=False, restrict=0,
                      journal=False)
STEAMOS = Distribution("steamos", "3.5.19", "SteamOS", 989, 985, rocm_in_opt=False, restrict=0)


@dataclass
class Cpu:
    model: str
    vendor: str = "AuthenticAMD"
    family: int = 25
    model_number: int = 97
    stepping: int = 2
    cores: int = 16  # hardware threads of one socket
    sockets: int = 1
    mhz: int = 5083  # as the KFD node has it
    hypervisor: bool = False


RYZEN_5950X = Cpu("AMD Ryzen 9 5950X 16-Core Processor", model_number=33, stepping=0, cores=32,
                  mhz=5084)
RYZEN_7800X3D = Cpu("AMD Ryzen 7 7800X3D 8-Core Processor", cores=16, mhz=5053)
RYZEN_7950X = Cpu("AMD Ryzen 9 7950X 16-Core Processor", cores=32, mhz=5881)
RYZEN_9800X3D = Cpu("AMD Ryzen 7 9800X3D 8-Core Processor", family=26, model_number=68,
                    stepping=0, cores=16, mhz=5269)
RYZEN_5600G = Cpu("AMD Ryzen 5 5600G with Radeon Graphics", model_number=80, stepping=0, cores=12,
                  mhz=4464)
RYZEN_7840HS = Cpu("AMD Ryzen 7 7840HS w/ Radeon 780M Graphics", model_number=116, stepping=1,
                   cores=16, mhz=5137)
RYZEN_AI_MAX = Cpu("AMD RYZEN AI MAX+ 395 w/ Radeon 8060S", family=26, model_number=112,
                   stepping=0, cores=32, mhz=5187)
AERITH = Cpu("AMD Custom APU 0405", family=23, model_number=144, stepping=2, cores=8, mhz=2800)
THREADRIPPER = Cpu("AMD Ryzen Threadripper PRO 5975WX 32-Cores", model_number=8, cores=64,
                   mhz=7006)
EPYC_9654 = Cpu("AMD EPYC 9654 96-Core Processor", model_number=17, stepping=1, cores=96,
                sockets=2, mhz=2400)
EPYC_7763 = Cpu("AMD EPYC 7763 64-Core Processor", model_number=1, stepping=1, cores=64,
                sockets=2, mhz=2450)
XEON_8480 = Cpu("Intel(R) Xeon(R) Platinum 8480C", vendor="GenuineIntel", family=6,
                model_number=143, stepping=8, cores=112, sockets=2, mhz=3800)
XEON_E5_2680 = Cpu("Intel(R) Xeon(R) CPU E5-2680 0 @ 2.70GHz", vendor="GenuineIntel", family=6,
                   model_number=45, stepping=7, cores=16, mhz=3500)
CORE_6700K = Cpu("Intel(R) Core(TM) i7-6700K CPU @ 4.00GHz", vendor="GenuineIntel", family=6,
                 model_number=94, stepping=3, cores=8, mhz=4200)
VM_EPYC = Cpu("AMD EPYC 9654 96-Core Processor", model_number=17, stepping=1, cores=26, mhz=2400,
              hypervisor=True)
VM_XEON = Cpu("Intel Xeon Processor (Icelake)", vendor="GenuineIntel", family=6,
              model_number=134, stepping=0, cores=8, mhz=2000, hypervisor=True)


@dataclass
class Board:
    vendor: str
    product: str
    board_vendor: str
    board: str
    bios: str
    bios_date: str


X570 = Board("ASUS", "System Product Name", "ASUSTeK COMPUTER INC.", "Pro WS X570-ACE", "4902",
             "08/29/2024")
B650 = Board("ASUS", "System Product Name", "ASUSTeK COMPUTER INC.", "TUF GAMING B650-PLUS",
             "3042", "09/24/2024")
X870 = Board("ASUS", "System Product Name", "ASUSTeK COMPUTER INC.",
             "ProArt X870E-CREATOR WIFI", "1605", "07/18/2025")
B550 = Board("Micro-Star International Co., Ltd.", "MS-7C95",
             "Micro-Star International Co., Ltd.", "B550M PRO-VDH WIFI (MS-7C95)", "2.H0",
             "07/29/2024")
Z170 = Board("MSI", "MS-7971", "MSI", "Z170A PC MATE (MS-7971)", "A.D0", "05/29/2018")
X79 = Board("ASUS", "All Series", "ASUSTeK COMPUTER INC.", "P9X79 WS", "4901", "08/24/2018")
FRAMEWORK_DESKTOP = Board("Framework", "Desktop (AMD Ryzen AI Max 300 Series)", "Framework",
                          "FRANMFCP06", "03.02", "08/12/2025")
GMKTEC = Board("GMKtec", "NucBox_EVO-X2", "GMKtec", "GMKtec", "1.05", "06/09/2025")
FRAMEWORK_16 = Board("Framework", "Laptop 16 (AMD Ryzen 7040 Series)", "Framework",
                     "FRANMZCP09", "03.05", "11/13/2024")
MINISFORUM = Board("Micro Computer (HK) Tech Limited", "UM780 XTX",
                   "Micro Computer (HK) Tech Limited", "F7BSC", "1.10", "03/22/2024")
STEAM_DECK = Board("Valve", "Jupiter", "Valve", "Jupiter", "F7A0120", "12/01/2023")
WRX80 = Board("ASUS", "System Product Name", "ASUSTeK COMPUTER INC.", "Pro WS WRX80E-SAGE SE WIFI",
              "1301", "10/25/2023")
SUPERMICRO = Board("Supermicro", "AS -8125GS-TNMR2", "Supermicro", "H13DSG-OM", "1.9",
                   "01/16/2025")
DELL_XE = Board("Dell Inc.", "PowerEdge XE9680", "Dell Inc.", "0DXC1R", "2.3.5", "11/26/2024")
GIGABYTE_MI210 = Board("GIGABYTE", "G292-Z43-00", "GIGABYTE", "MZ92-FS0-00", "M17", "05/23/2023")
QEMU = Board("QEMU", "Standard PC (Q35 + ICH9, 2009)", "", "", "2024.02-2ubuntu0.3",
             "04/01/2014")


@dataclass
class User:
    name: str = "ada"
    uid: int = 1000
    gid: int = 1000
    groups: tuple = ("render", "video")
    others: tuple = (4, 24, 27)
    sudo: bool = False  # rocsteady ran under sudo: root reads, the user is judged
    root: bool = False  # the user is root
    shell: str = "/bin/bash"
    environment: dict = field(default_factory=dict)

    @property
    def home(self):
        return "/root" if self.root else f"/home/{self.name}"

    @property
    def privileged(self):
        return self.sudo or self.root
