#include "check-facts.h"

#define ALICE "ask identity\n\thow this process\n\tuid 1000\n\tgid 1000\n\thome /home/alice\n"
#define ENV   "ask environment\n"

#define VARIABLES "SELECT subject, name, value FROM env"
#define SETTERS   "SELECT name, value, exported, scope, source FROM env_setter"
#define GAPS      "SELECT topic, subject, standing, source FROM gap WHERE topic LIKE 'env%'"

static const struct facts_case cases[] = {
	{ "a variable, an empty one, one with an equals sign",
	  ENV "\tHIP_VISIBLE_DEVICES=0,1\n\tROCR_VISIBLE_DEVICES=\n\tHSA_X=a=b\n", VARIABLES,
	  "identity|HIP_VISIBLE_DEVICES|0,1\nidentity|ROCR_VISIBLE_DEVICES|\nidentity|HSA_X|a=b" },
	{ "of two with one name getenv answers the first", ENV "\tHSA_X=1\n\tHSA_X=2\n", VARIABLES,
	  "identity|HSA_X|1" },
	{ "lines that are no variables", ENV "\t=x\n\tnothing\n\t\n", VARIABLES, "" },
	{ "empty is not unset", ENV "\tHIP_VISIBLE_DEVICES=\n",
	  "SELECT name, state FROM visible_devices WHERE name LIKE 'HIP%' OR name LIKE 'ROCR%'"
	  " ORDER BY name",
	  "HIP_VISIBLE_DEVICES|empty\nROCR_VISIBLE_DEVICES|unset" },
	{ "a user who runs nothing has no environment", "ask environment !UNASKED\n",
	  "SELECT subject, standing FROM gap WHERE topic = 'env'", "identity|unasked" },
	{ "another user's process is closed", "ask environment !EACCES\n",
	  "SELECT subject, standing FROM gap WHERE topic = 'env'", "identity|denied" },

	{ "an exported variable, with its line",
	  ALICE "file /home/alice/.bashrc excerpt\n\t118:export HSA_OVERRIDE_GFX_VERSION=10.3.0\n",
	  SETTERS, "HSA_OVERRIDE_GFX_VERSION|10.3.0|1|user|~/.bashrc:118" },
	{ "one that stays in the shell, and its export further down",
	  ALICE "file /home/alice/.bashrc excerpt\n\t3:HIP_VISIBLE_DEVICES=0\n"
		"\t4:export HIP_VISIBLE_DEVICES\n",
	  SETTERS,
	  "HIP_VISIBLE_DEVICES|0|0|user|~/.bashrc:3\nHIP_VISIBLE_DEVICES|-|1|user|~/.bashrc:4" },
	{ "for one command only, and a comment",
	  ALICE "file /home/alice/.bashrc excerpt\n\t3:HIP_VISIBLE_DEVICES=0 python x.py\n"
		"\t4:# export HSA_OVERRIDE_GFX_VERSION=10.3.0\n",
	  SETTERS, "" },
	{ "what every file sets is no news",
	  ALICE "file /home/alice/.profile excerpt\n\t9:export PATH=/opt/rocm/bin:$PATH\n", SETTERS,
	  "" },
	{ "fish and csh have their own words",
	  ALICE "file /home/alice/.config/fish/config.fish excerpt\n\t2:set -gx HSA_ENABLE_SDMA 0\n"
		"file /home/alice/.tcshrc excerpt\n\t5:setenv HSA_ENABLE_SDMA 1\n",
	  SETTERS,
	  "HSA_ENABLE_SDMA|1|1|user|~/.tcshrc:5\nHSA_ENABLE_SDMA|0|1|user|~/.config/fish/config.fish:2" },
	{ "/etc/environment needs no export",
	  "file /etc/environment excerpt\n\t2:HSA_OVERRIDE_GFX_VERSION=\"11.0.0\"\n", SETTERS,
	  "HSA_OVERRIDE_GFX_VERSION|11.0.0|1|system|/etc/environment:2" },
	{ "of a directory only what is read at login",
	  "dir /etc/profile.d\n\trocm.sh\n\trocm.csh\n\trocm.sh.bak\n"
	  "file /etc/profile.d/rocm.sh excerpt\n\t1:export ROCM_PATH=/opt/rocm\n"
	  "file /etc/profile.d/rocm.sh.bak excerpt\n\t1:export ROCM_PATH=/opt/old\n",
	  SETTERS, "ROCM_PATH|/opt/rocm|1|system|/etc/profile.d/rocm.sh:1" },
	{ "a file without numbers is counted",
	  "file /etc/environment\n\tHSA_XNACK=1\n\tHSA_XNACK=0\n",
	  "SELECT value, source FROM env_setter", "1|/etc/environment:1\n0|/etc/environment:2" },
	{ "a value with bytes that no terminal should see",
	  "file /etc/environment excerpt base64\n\tMTpIU0FfWE5BQ0s9GzFtCg==\n",
	  "SELECT value FROM env_setter", "\\x1b1m" },

	{ "a home that may not be read",
	  ALICE ENV "dir /home/alice !EACCES\nfile /etc/environment !ENOENT\n",
	  "SELECT subject, standing FROM gap WHERE topic = 'env_setter' AND subject = '~/.bashrc'",
	  "~/.bashrc|denied" },
	{ "a home that hangs", ALICE ENV "file /home/alice/.bashrc !STUCK\n",
	  "SELECT subject, standing FROM gap WHERE topic = 'env_setter' AND standing = 'stuck'",
	  "~/.bashrc|stuck" },
	{ "nobody asked: said once for the system and once for the user", "note brief\n",
	  "SELECT subject, standing FROM gap WHERE topic = 'env_setter'",
	  "system|unasked\nuser|unasked" },
};

int main(void)
{
	check_facts(cases, sizeof(cases) / sizeof(cases[0]));
	return check_end();
}
