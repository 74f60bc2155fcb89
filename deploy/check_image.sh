#!/usr/bin/env bash
# Build the container image and try it on a Debian machine that has no Docker. Run as root, in two or three minutes:
#   apt-get install buildah debootstrap iproute2 procps python3-pip && deploy/check_image.sh
# The base is Debian's Python, from the mirror that this machine's apt uses; pip is set up as it is outside the image.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d) failed=0 pid=
trap '[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null; rm -rf "$work"' EXIT
trap 'tail -n 30 "$work/log" >&2' ERR
export BUILDAH_ISOLATION=chroot
build() { buildah --root "$work/images" --runroot "$work/run" --storage-driver vfs "$@"; }
check() { if "${@:2}" >/dev/null 2>&1; then echo "ok      $1"; else echo "FAILED  $1"; failed=1; fi; }

echo "Building ..." | tee "$work/log"
release=$(. /etc/os-release; echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' \
    "Codename: $release" 'Component: main')
debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates \
    "$release" "$work/base" "${mirror%%$'\n'*}" >>"$work/log"
c=$(build from scratch)
build add -q "$c" "$work/base" / >>"$work/log"
build config --env PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin "$c"
build commit -q "$c" localhost/base >>"$work/log"

# One section of what pip says it is set to; the environment comes first and wins. What it names on this disk is lent
# to the build, an index with the folder around it, where its files are.
(umask 077; { python3 -m pip config list || true; } | awk 'BEGIN { print "[global]" }
    { at = index($0, "="); key = substr($0, 1, at - 1); sub(/.*\./, "", key); value = substr($0, at + 2)
      sub(/.$/, "", value); gsub(/\\n/, " ", value); if (!seen[key]++) print key " = " value }' >"$work/pip.conf")
lend=()
for path in $(grep -oE '(file://| )/[^ ]+' "$work/pip.conf" | sed -E 's,^file://(.*)/[^/]+/?$,\1,' | sort -u); do
    [ ! -e "$path" ] || lend+=(--volume "$path:$path:ro")
done
build bud --pull-never --format docker --build-arg BASE=localhost/base --secret "id=pip,src=$work/pip.conf" \
    "${lend[@]}" -t localhost/lesson . >>"$work/log" 2>&1
trap - ERR

image() { build inspect --type image --format "$1" localhost/lesson; }
one() { image "{{.Docker.Config.$1}}"; }
list() { image "{{range .Docker.Config.$1}}{{println .}}{{end}}" | sed '/^$/d'; }
mapfile -t env < <(list Env); mapfile -t cmd < <(list Cmd); mapfile -t health < <(list Healthcheck.Test)
user=$(one User) root=$(build mount "$(build from --pull-never localhost/lesson)")
enter=(chroot --userspec="$user" --groups= "$root" /usr/bin/env -i -C "$(one WorkingDir)" "${env[@]}")

# Process 1 of its own namespaces, with no network but its own loopback and nothing that it can write to.
unshare --mount --pid --net --ipc --fork --kill-child sh -ec 'mount -o bind,ro "$0" "$0"; mount -t proc proc "$0/proc"
    mount -o bind,ro /dev "$0/dev"; ip link set lo up; exec "$@"' "$root" "${enter[@]}" "${cmd[@]}" &
outer=$!
inside() { nsenter -t "$pid" -m -p -n -i "${enter[@]}" "$@"; }
for _ in {1..60}; do sleep 0.5; pid=$(pgrep -P "$outer" || true); inside "${health[@]:1}" 2>/dev/null && break; done
page() { inside python -c "from urllib.request import urlopen as u; print(u('http://127.0.0.1:5006$1').read())"; }
check "the command is python -m app serve" test "${cmd[*]:0:4}" = "python -m app serve"
check "it is not root, by number" test "$(stat -c %u:%g "/proc/$pid")" = "$user" -a "${user%%:*}" -gt 0
check "the root file system is read-only" inside sh -c '! touch /x && ! touch /tmp/x && ! touch /opt/venv/x'
check "the health check succeeds" inside "${health[@]:1}"
check "/healthz answers" page /healthz
check "/lessons/05-trainable-attention answers" page /lessons/05-trainable-attention
check "no pip, compiler or git" inside sh -c '! python -c "import pip" && ! command -v pip gcc cc make git'
left=$(find "$root/src" "$root/root/.cache" "$root/etc/pip.conf" "$root/run/secrets" -type f 2>/dev/null || true)
check "no source tree, cache or pip configuration" test -z "$left"
start=${EPOCHREALTIME/./} status=0
kill -TERM "$pid"
timeout 5 tail --pid="$outer" -s 0.05 -f /dev/null || kill -KILL "$pid"
wait "$outer" || status=$?
pid=
check "SIGTERM stops it within 5 s, status 0 (took $(((${EPOCHREALTIME/./} - start) / 1000)) ms)" test "$status" = 0
exit "$failed"
