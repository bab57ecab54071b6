#!/usr/bin/env bash
# prometheus.sh: prints the folder with a prometheus and a promtool for the tests: $PROMETHEUS_FOLDER, that of the ones on the PATH, a
# cached copy, or the distribution's package unpacked without installing it. Talks on stderr. Ends with 3 where there is none.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache="$root/.cache/prometheus"
package=prometheus
say() { echo "prometheus: $*" >&2; }

if [ -n "${PROMETHEUS_FOLDER:-}" ]; then
  echo "$PROMETHEUS_FOLDER"
  exit 0
fi
if command -v promtool >/dev/null && command -v prometheus >/dev/null; then
  dirname "$(command -v prometheus)"
  exit 0
fi
# One at a time, and not beside chromium.sh: apt-get refuses to work beside another.
mkdir -p "$root/.cache"
exec 9>"$root/.cache/apt.lock"
if command -v flock >/dev/null; then flock 9; fi
if [ -x "$cache/promtool" ]; then
  echo "$cache"
  exit 0
fi
unpack() (
  rm -rf "$cache.new"
  mkdir -p "$cache.new"
  cd "$cache.new"
  apt-get download "$package" >/dev/null 2>&1 || { apt-get update >/dev/null 2>&1 && apt-get download "$package" >/dev/null 2>&1; }
  dpkg-deb --fsys-tarfile "$package"_*.deb | tar -x ./usr/bin/prometheus ./usr/bin/promtool
  rm "$package"_*.deb
  mv usr/bin/* . && rm -r usr
  rm -rf "$cache"
  mv "$cache.new" "$cache"
)
if command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null && unpack; then
  say "unpacked the distribution's package $package into .cache/prometheus"
  echo "$cache"
  exit 0
fi
say "none found: set \$PROMETHEUS_FOLDER to a folder with prometheus and promtool, or install the package prometheus" && exit 3
