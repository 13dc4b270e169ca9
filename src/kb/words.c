#include "kb/words.h"

#include <stddef.h>
#include <string.h>

const char *const words_kind[] = { "cause", "consequence", "myth", "symptom", NULL };
const char *const words_scope[] = { "node", "gpu", "link", "nic", "environment", "job", NULL };
const char *const words_severity[] = { "info", "warning", "problem", NULL };
const char *const words_action[] = { "none",  "watch",   "reset-gpu", "reboot",
				     "drain", "replace", NULL };
const char *const words_repair[] = { "none",    "drain",        "reboot", "reseat",
				     "replace", "fix-software", NULL };
const char *const words_risk[] = { "none", "low", "needs-root", "needs-reboot", NULL };
const char *const words_costs[] = { "none", "slower", "fewer-gpus", "cpu", NULL };
const char *const words_cure[] = { "add-files",
				   "clear-cache",
				   "container-flags",
				   "disable-feature",
				   "downgrade-driver",
				   "downgrade-framework",
				   "downgrade-rocm",
				   "firmware-setting",
				   "fix-code",
				   "free-memory",
				   "hardware",
				   "hide-gpu",
				   "install-package",
				   "none-known",
				   "other-backend",
				   "permissions",
				   "raise-limit",
				   "reboot-or-reset",
				   "rebuild",
				   "reduce-demand",
				   "reinstall-companion",
				   "remove-conflict",
				   "set-env",
				   "set-override",
				   "switch-build",
				   "unset-env",
				   "unset-override",
				   "upgrade-driver",
				   "upgrade-framework",
				   "upgrade-rocm",
				   NULL };
const char *const words_act[] = {
	"clear-cache",      "debug-log",     "found-setting",   "go-back",
	"higher-precision", "less-memory",   "on-processor",    "one-gpu",
	"other-attention",  "other-backend", "pick-gpu",        "shorter-context",
	"supported-type",   "update",        "without-compile", NULL
};
const char *const words_class[] = {
	"source", "maintainer", "reporter", "inferred", "official", NULL
};
const char *const words_verdict[] = { "good", "risky", "harmful", NULL };
const char *const words_release[] = { "production", "preview", "therock", NULL };
const char *const words_build[] = { "installer", "archive", "wheel", "source", "vulkan", NULL };
const char *const words_handled[] = { "rocm", "rccl", "driver", "program", NULL };
const char *const words_way[] = { "wheel",  "device-package", "image", "installer", "archive",
				  "vulkan", "override",       "none",  NULL };
const char *const words_form[] = { "variable", "kernel", "flag", "command", NULL };
const char *const words_effect[] = { "none",        "masks", "harmful",  "right",
				     "wrong-value", "debug", "optional", NULL };
const char *const words_system[] = { "linux", "windows", "wsl", NULL };
const char *const words_line[] = { "failure",  "warning", "hint", "remark",
				   "harmless", "context", NULL };
const char *const words_strength[] = { "weak", "fair", "strong", "proves", NULL };
const char *const words_share[] = { "rare", "usual", "common", NULL };
const char *const words_prior[] = { "rare", "usual", NULL };
const char *const words_writer[] = { "program", "person", NULL };
const char *const words_stated[] = {
	"gpu",       "gfx",         "gpu_count",    "integrated", "rocm",        "hip",
	"framework", "version",     "torch",        "torch_rocm", "torch_build", "python",
	"os",        "system",      "kernel",       "driver",     "container",   "image",
	"ollama",    "llama_cpp",   "comfyui",      "vllm",       "triton",      "tensorflow",
	"jax",       "onnxruntime", "bitsandbytes", "rocblas",    "hipblaslt",   "miopen",
	"rccl",      "vram",        "override",     "targets",    "mes",         "command",
	"script",    "aftermath",   "own_frame",    "shown",      "torchvision", "torchaudio",
	NULL
};
const char *const words_world[] = { "gfx_target",      "rocm_release",
				    "gfx_override",    "env_variable",
				    "setting_effect",  "atomics_rule",
				    "kernel_floor",    "adrenalin_floor",
				    "wheel",           "image",
				    "device_package",  "build",
				    "python_package",  "hipblaslt_support",
				    "library_release", "program",
				    "program_act",     "belief",
				    "tracker",         "component",
				    "status_code",     "family",
				    "label",           "processor",
				    "gpu_memory",      NULL };
const char *const words_derived[] = {
	"program_without_torch", "line_without_torch", "named_program", "program_here",
	"program_way",           "advised_program",    "own_code",      "reached_gpu",
	"usable_override",       "fitting_override",   "torch_package", "old_adrenalin",
	"only_integrated",       "build_target",       "known_gpu",     "refuted_question",
	"refuted_install",       "setting_shown",      "setting_case",  "setting_judged",
	"setting_note",          "setting_undo",       "refuted_set",   "refuted_unset",
	"known_advice",          "setting_advised",    "feature_shown", NULL
};

bool words_has(const char *const *list, const char *word)
{
	for (; word && *list; list++)
		if (strcmp(*list, word) == 0)
			return true;
	return false;
}

void words_tell(const char *const *list, struct buf *ret)
{
	for (size_t i = 0; list[i]; i++)
		buf_addf(ret, " %s", list[i]);
}
