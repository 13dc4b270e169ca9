#!/usr/bin/env bash
# The search for environments: what it finds, what it leaves out and says so,
# and what a file system that never answers costs.
. "$(dirname "$0")/lib.sh"

[ "$(id -u)" = 0 ] || skip "mounts need root"
unshare -m true 2>/dev/null || skip "no mount namespaces here"
cc -O1 -o "$WORK/deaf-fs" "$SOURCE/tests/live/deaf-fs.c" || skip "no compiler"
chmod 755 "$WORK"
HOME_DIR=$WORK/home
OPT=$WORK/opt
venv() { # venv DIR [KEY=VALUE]
	mkdir -p "$1/lib/python3.11/site-packages" "$1/bin"
	printf 'home = /usr/bin\nversion = 3.11.2\n%s\n' "${2:-}" >"$1/pyvenv.cfg"
}
mkdir -p "$OPT" "$HOME_DIR"
venv "$HOME_DIR/plain"
venv "$HOME_DIR/project/.venv"
venv "$HOME_DIR/made by uv" "uv = 0.4.1"
venv "$HOME_DIR/.local/share/pipx/venvs/tool"
venv "$HOME_DIR/too/deep/for-us"
venv "$HOME_DIR/remote/venv"
venv "$HOME_DIR/named"
mkdir -p "$HOME_DIR/miniconda3/conda-meta" "$HOME_DIR/miniconda3/envs/ml/conda-meta" \
	"$HOME_DIR/miniconda3/envs/ml/lib/python3.12/site-packages" "$HOME_DIR/fifo" "$HOME_DIR/deaf"
mkfifo "$HOME_DIR/fifo/pyvenv.cfg"
ln -s . "$HOME_DIR/loop"
ln -s loop2 "$HOME_DIR/loop2"
ln -s /proc "$HOME_DIR/proc"
ln -s /root/remote "$HOME_DIR/link-to-remote"
ln -s link-to-remote/venv "$HOME_DIR/link-behind-a-link"
ln -s ../opt/far/below/venv "$HOME_DIR/above"
ln -s ../root/link-to-remote/venv "$HOME_DIR/above-to-remote"
venv "$OPT/served/venv"
venv "$OPT/far/below/venv"
mkdir -p "$OPT/private/lib"
chmod 700 "$OPT/private"
mkdir -p "$WORK/units"
printf '[Service]\nExecStart=/opt/served/venv/bin/python -m server\n' >"$WORK/units/comfyui.service"
mkdir -p "$WORK/packaged"
cp "$WORK/units/comfyui.service" "$WORK/packaged/lemonade-server.service"
cp "$WORK/units/comfyui.service" "$WORK/packaged/backup.service"

# A machine of its own: this home, this /opt, a network file system and a deaf one.
cat >"$WORK/inside" <<'IN'
mount --make-rprivate /
mount --bind "$HOME_DIR" /root
mount --bind "$OPT" /opt
mount --bind "$WORK/units" /etc/systemd/system
mount --bind "$WORK/packaged" /usr/lib/systemd/system
mount -t tmpfs none /mnt
mkdir -m 777 /mnt/nobody
"$WORK/deaf-fs" /root/remote >"$WORK/asked" 2>&1 &
DEAF=$!
for _ in $(seq 50); do grep -q mounted "$WORK/asked" && break; sleep 0.1; done
grep -q mounted "$WORK/asked" || exit 77
"$ROCSTEADY" snapshot --no-scrub -o "$WORK/plain.snap"
cp "$WORK/asked" "$WORK/asked.plain"
start=$(date +%s%N)
VIRTUAL_ENV=/root/remote/venv timeout 60 "$ROCSTEADY" snapshot --no-scrub -o "$WORK/hung.snap"
echo $((($(date +%s%N) - start) / 1000000)) >"$WORK/took"
timeout 60 "$ROCSTEADY" snapshot --no-scrub --env /root/too -o "$WORK/named.snap"
VIRTUAL_ENV=/root/named "$ROCSTEADY" snapshot -o "$WORK/scrubbed.snap"
setpriv --reuid 65534 --regid 65534 --clear-groups "$ROCSTEADY" snapshot --no-scrub -o /mnt/nobody/snap 2>"$WORK/said"
cp /mnt/nobody/snap "$WORK/nobody.snap"
kill $DEAF
IN
export HOME_DIR OPT WORK ROCSTEADY
HOME=/root unshare -m bash "$WORK/inside"
status=$?
trap 'rm -rf "$WORK"' EXIT
[ $status = 77 ] && skip "no FUSE here: $(cat "$WORK/asked")"

answer() { # the answer to `environments`
	sed -n '/^ask environments/,/^[^\t]/p' "$1" | sed -n 's/^\t//p'
}
answer "$WORK/plain.snap" >"$WORK/plain"
has() { grep -qxF -- "$1" "${2:-$WORK/plain}"; }
check "a venv in the home" has "env venv /root/plain 3.11"
check "its packages" has "site /root/plain/lib/python3.11/site-packages"
check "one in a project" has "env venv /root/project/.venv 3.11"
check "one of uv, with blanks in its name" has 'env uv /root/made\x20by\x20uv 3.11'
check "a tool of pipx" has "env pipx /root/.local/share/pipx/venvs/tool 3.11"
check "conda's base" has "env conda /root/miniconda3"
check "and what stands in its envs" has "env conda /root/miniconda3/envs/ml 3.12"
check "what a service runs from" has "service comfyui.service /opt/served/venv"
check "and a packaged one whose name is listed" has "service lemonade-server.service /opt/served/venv"
check "but no other packaged one" [ -z "$(grep backup "$WORK/plain")" ]
check "not deeper than it should" [ -z "$(grep too/deep "$WORK/plain")" ]
check "a network file system is named" has "left network /root/remote"
check "and was not touched" [ -z "$(grep asked "$WORK/asked.plain")" ]
check "a link with .. in it is followed" has "env venv /opt/far/below/venv 3.11"
check "a FIFO is no environment" [ -z "$(grep fifo "$WORK/plain")" ]
check "links in circles end" [ -z "$(grep loop "$WORK/plain")" ]
check "within its looks" [ "$(sed -n 's/^stats //p' "$WORK/plain")" -lt 2000 ]

answer "$WORK/hung.snap" >"$WORK/hung"
echo "with a deaf file system: $(cat "$WORK/took") ms"
check "what hangs costs that path" grep -qE '^left stuck /root/remote' "$WORK/hung"
check "the others are still found" has "env venv /root/plain 3.11" "$WORK/hung"
check "in time" [ "$(cat "$WORK/took")" -lt 15000 ]
check "what is named is looked into" grep -q '^env venv /root/too/deep' <(answer "$WORK/named.snap")

check "the active one is marked" grep -q '^active ' <(answer "$WORK/scrubbed.snap")
gaps() { # gaps SNAPSHOT SUBJECT STANDING: the tables that it is a gap of
	"$ROCSTEADY" query --from "$1" "SELECT group_concat(topic, ' ') FROM (SELECT topic FROM gap
		WHERE subject = '$2' AND standing = '$3' ORDER BY topic)" | tail -n 1
}
ALL="environment framework library package"
check "what was left is a gap of all that may be there" [ "$(gaps "$WORK/plain.snap" /root/remote unasked)" = "$ALL" ]
check "and so is what we may not read" [ "$(gaps "$WORK/nobody.snap" /opt/private denied)" = "$ALL" ]
check "which others can" [ -z "$(grep -F 'left denied' "$WORK/plain")" ]
finish
