#!/usr/bin/env bash
# haproxy.sh: prints the path of an HAProxy for the tests: $HAPROXY, the one on the PATH, a cached copy, or the distribution's package
# unpacked with its libraries, without installing them. Talks on stderr. Ends with 3 where there is none.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache="$root/.cache/haproxy"
say() { echo "haproxy: $*" >&2; }

found() {
  echo "$1"
  exit 0
}

if [ -n "${HAPROXY:-}" ]; then
  [ -x "$HAPROXY" ] && found "$HAPROXY"
  say "\$HAPROXY is $HAPROXY, which is not a program"
  exit 3
fi
command -v haproxy >/dev/null && found "$(command -v haproxy)"
# One at a time, and not beside other scripts: apt-get refuses to work beside another.
mkdir -p "$root/.cache"
exec 9>"$root/.cache/apt.lock"
if command -v flock >/dev/null; then flock 9; fi
[ -x "$cache/haproxy" ] && found "$cache/haproxy"

# The package, and of those that it depends on the libraries that this machine lacks.
fetch() {
  local wanted
  wanted=$(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances \
    haproxy | sed -n 's/^ *|\{0,1\}Depends: \(lib[^<>]*\)$/\1/p' | sort -u |
    grep -E '^lib(lua|opentracing|pcre2|ssl|crypt|systemd)')
  # shellcheck disable=SC2086
  apt-get download haproxy $wanted
}
unpack() (
  rm -rf "$cache.new"
  mkdir -p "$cache.new"
  cd "$cache.new"
  fetch >/dev/null 2>&1 || { apt-get update >/dev/null 2>&1 && fetch >/dev/null 2>&1; }
  for package in ./*.deb; do dpkg-deb -x "$package" tree; done
  mkdir lib
  find tree -name '*.so*' ! -type d -exec cp -P {} lib/ \;
  # The C library, and all that the machine has, is that of the machine.
  for library in lib/*; do
    if ldconfig -p 2>/dev/null | grep -q "^[[:space:]]*$(basename "$library") "; then rm "$library"; fi
  done
  cp tree/usr/sbin/haproxy haproxy.bin
  rm -rf tree ./*.deb
  printf '#!/bin/sh\nLD_LIBRARY_PATH="%s/lib" exec "%s/haproxy.bin" "$@"\n' "$cache" "$cache" >haproxy
  chmod +x haproxy
  rm -rf "$cache"
  mv "$cache.new" "$cache"
  "$cache/haproxy" -v >/dev/null
)
if command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null && unpack; then
  say "unpacked the distribution's package haproxy into .cache/haproxy"
  found "$cache/haproxy"
fi
rm -rf "$cache"
say "none found: set \$HAPROXY to a program, or install the package haproxy"
exit 3
