#!/usr/bin/env bash
# What `rocsteady advise` answers to people: names, machines, JSON, exit status.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
MACHINES=$SOURCE/tests/machines

run() {
	local want=$1 status
	shift
	"$ROCSTEADY" advise "$@" >"$WORK/out" 2>"$WORK/err"
	status=$?
	check "status $want of: advise $* (got $status)" [ "$status" = "$want" ]
}
says() { check "stderr says '$1'" grep -qF -- "$1" "$WORK/err"; }
prints() { check "stdout has '$1'" grep -qF -- "$1" "$WORK/out"; }

run 0 --gpu "7900 xtx"
prints "torch for gfx1100 (Radeon RX 7900 XTX)"
check "one line to paste, not wrapped" grep -qE '^     python3 -m venv .* --index-url https://\S+$' "$WORK/out"
run 2 --gpu "rx 580"
check "none known, with a day" grep -qE 'none known, checked [0-9-]{10}' "$WORK/out"
prints "through Vulkan"
run 64 --gpu 840M
says "matches several GPUs: "
says "gfx1152"
says "gfx1153"
run 0 --json --gpu gfx900,gfx906,gfx908,gfx90a,gfx90c,gfx942,gfx950,gfx1010,gfx1012,gfx1030,gfx1031,gfx1032,gfx1033,gfx1034,gfx1035,gfx1036,gfx1100,gfx1101
check "each of eighteen GPUs" [ "$(jq '[.. | .gfx? | strings] | unique | length' "$WORK/out")" = 18 ]
# A processor is its GPU; one that is not known is not taken for another, nor for a card.
run 0 --gpu 5600G
prints "gfx90c (Ryzen 5 5600G)"
run 0 --gpu "Ryzen 7 8845HS w/ Radeon 780M Graphics"
prints "gfx1103"
run 64 --gpu "Vega 8"
says "as in Ryzen 3 2200G (gfx902)"
says "(gfx90c)"
run 64 --gpu 5650X
says "is not a known AMD GPU"
# What an iGPU may use, on each system.
run 0 --gpu "Strix Halo" --for llama.cpp
prints "ttm.pages_limit"
run 0 --gpu "Strix Halo" --for llama.cpp --os windows
check "Windows has its own setting" sh -c "grep -q 'Variable Graphics' '$WORK/out' && ! grep -q ttm '$WORK/out'"
run 0 --gpu 780M --for ollama
prints "OLLAMA_IGPU_ENABLE=1"
run 0 --gpu MI355X
check "no note on a GPU of AMD's own list" sh -c "! grep -qE '^   note|not test|not mark' '$WORK/out'"
run 64 --gpu "7950 xtx"
says "did you mean: Radeon RX 7900 XTX (gfx1100)"
run 64 --gpu "Banana 9000"
says "is not a known AMD GPU; write it as"
run 64 --gpu "$(printf 'x\033[31m')"
check "an escape is not repeated" sh -c "! grep -q $'\033' '$WORK/err'"
run 64 --gpu gfx1100 --for solitaire
says "--for is one of: torch"
run 64 --gpu gfx1100 --os beos
run 64 --gpu gfx1100 --python three
run 64 gfx1100
run 0 --gpu gfx1152 --python 3.7 --for torch

prints "No build for Python 3.7"
run 0 --gpu gfx1201,"rx 580" --for torch
check "each apart where no line serves both" [ "$(grep -c '^.. torch for' "$WORK/out")" = 2 ]
run 0 --from "$MACHINES/rx7900xtx-ubuntu2404-rocm64-five-environments.snap"
prints "gfx1100 (AMD Radeon RX 7900 XTX)"
prints "Python 3.12"
run 0 --from "$MACHINES/rx7900xtx-ubuntu2404-rocm64-five-environments.snap" --json
check "valid JSON with the application" python3 -c '
import json, sys
a = json.load(open(sys.argv[1]))
assert a["application"] == "torch" and a["system"] == "linux" and a["advice"][0]["ways"][0]["line"], a' "$WORK/out"

# The package of one GPU comes before the wheel that fetches those of all.
run 0 --gpu gfx1151 --json
check "25 GB are not the first way" jq -e '.advice[0].ways | .[0].kind == "device-package" and any(.caveat // "" | contains("25 GB"))' "$WORK/out"
# What a table asks for is compared with this machine.
run 0 --from "$MACHINES/strixhalo-fedora42-k616-carveout96.snap"
check "the kernel comes first" grep -q 'this machine runs 6.16.10-200.fc42.x86_64:' <(tr -s '\n ' ' ' <"$WORK/out")
run 0 --from "$MACHINES/strixhalo-ubuntu2604-k70-gtt112.snap"
check "a kernel that is new enough is not named" sh -c "! grep -q 'this machine' '$WORK/out'"
run 0 --gpu gfx1151
check "without a machine none is named" sh -c "! grep -q 'this machine' '$WORK/out'"

# SGLang has one image for each Instinct, and one of AMD that Radeon GPUs need without AITER.
run 0 --gpu gfx942 --for sglang
prints "lmsysorg/sglang:v0.5.17-rocm720-mi30x"
run 0 --gpu gfx1201 --for sglang
prints "SGLANG_USE_AITER=false"
run 2 --gpu gfx906 --for sglang

# Packages of PyPI: what the wheel has code for, the ROCm that it needs, and what to do where it has none.
run 0 --gpu gfx1100 --for jax
prints 'pip install "jax[rocm7-local]=='
prints "it does not include ROCm"
run 2 --gpu gfx906 --for jax
prints "PyTorch has a build for it: rocsteady advise"
run 0 --gpu gfx1100 --for tensorflow --python 3.13
prints "No build for Python 3.13"
run 2 --gpu gfx1103 --for cupy --os linux
run 0 --gpu gfx1031 --for bitsandbytes --os linux
prints 'torch[device-gfx1031]'
run 2 --gpu gfx1201 --for invokeai --os windows
prints "ComfyUI has a build for it"
run 0 --gpu gfx906 --for stable-diffusion.cpp --os linux
prints "without ROCm"
prints "Each release is a build"
"$ROCSTEADY" advise --gpu gfx1100 --for solitaire 2>"$WORK/err"
check "twelve programs" [ "$(sed -n 's/.*--for is one of: \(.*\); for .*/\1/p' "$WORK/err" | wc -w)" = 12 ]

# Never an index without a build for the GPU: every target, every system, by the tables themselves.
cp "$KNOWLEDGE" "$WORK/kb.db" || check "the tables" false
check "each index has a build for the GPU" python3 - "$ROCSTEADY" "$WORK/kb.db" <<'END'
import json, re, sqlite3, subprocess, sys
db, lines, bad = sqlite3.connect(sys.argv[2]), 0, []
for (gfx,) in db.execute("SELECT gfx FROM gfx_target"):
    for system in ("linux", "windows", "wsl"):
        for application in ("torch", "comfyui", "sglang", "vllm"):
            done = subprocess.run([sys.argv[1], "advise", "--gpu", gfx, "--os", system, "--for", application, "--json"], capture_output=True, text=True)
            ways = [w for part in json.loads(done.stdout)["advice"] for w in part["ways"] if w["line"] and w["kind"] not in ("override", "image")]
            for way in ways:
                for url in re.findall(r"--index-url ([^\s;]+)", way["line"]):
                    lines += 1
                    wheels = [row[0].split() for row in db.execute("SELECT targets FROM wheel WHERE url = ?", (url,))]
                    packages = [row[0] for row in db.execute("SELECT gfx FROM device_package WHERE url = ? AND instr(os, ?)", (url, "linux" if system == "wsl" else system))]
                    if not any(gfx in targets for targets in wheels) and gfx not in packages:
                        bad.append((gfx, system, application, url))
print(lines, "lines", bad)
sys.exit(bool(bad) or lines < 50)
END
# What was checked more than 90 days ago says so, and what was checked today does not.
cp -R "$SOURCE/kb" "$WORK/dated"
for day in 2026-01-02 "$(date +%F)"; do
	sed -i "s/^checked: .*/checked: \"$day\"/" "$WORK/dated/tables/device_package.yaml"
	"$ROCSTEADY-kb" build "$WORK/dated" -o "$WORK/$day.db" || check "tables of $day" false
	run 0 --gpu gfx1151 --kb "$WORK/$day.db"
	cp "$WORK/out" "$WORK/$day.out"
done
check "old knowledge says how old it is" grep -qE 'checked 2026-01-02, [0-9]+ days ago' "$WORK/2026-01-02.out"
check "fresh knowledge does not" sh -c "! grep -q 'days ago' '$WORK/$(date +%F).out'"

"$ROCSTEADY" check --from "$MACHINES/rx6600-debian12-k61-healthy.snap" >"$WORK/out"
check "check says what to install where nothing is" grep -qE '^ +python3 -m venv .*device-gfx1032' "$WORK/out"
finish
