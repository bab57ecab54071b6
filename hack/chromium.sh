#!/usr/bin/env bash
# chromium.sh: prints the path of a Chromium for the tests: $CHROMIUM, the one on the PATH, or the distribution's package, which it
# installs if it runs as root. Talks on stderr.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
say() { echo "chromium: $*" >&2; }
find_one() { command -v chromium || command -v chromium-browser || command -v google-chrome; }

if [ -n "${CHROMIUM:-}" ]; then
  echo "$CHROMIUM"
  exit 0
fi
if find_one; then exit 0; fi
# One at a time, and not beside kubectl.sh: apt-get refuses to work beside another.
mkdir -p "$root/.cache"
exec 9>"$root/.cache/apt.lock"
if command -v flock >/dev/null; then flock 9; fi
if find_one; then exit 0; fi
install() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get install -y --no-install-recommends chromium || { apt-get update && apt-get install -y --no-install-recommends chromium; }
}
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && install >/dev/null 2>&1 && find_one; then exit 0; fi
say "none found: set \$CHROMIUM to a program, or install the package chromium" && exit 3
