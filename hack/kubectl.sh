#!/usr/bin/env bash
# Prints the path of a kubectl for the tests: $KUBECTL, a cached copy, the distribution's package unpacked without
# installing it, or the one on the PATH. Talks on stderr.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache="$root/.cache/kubectl"
package=kubernetes-client
say() { echo "kubectl: $*" >&2; }

if [ -n "${KUBECTL:-}" ]; then
  say "\$KUBECTL: $KUBECTL"
  echo "$KUBECTL"
  exit 0
fi
if [ -x "$cache/usr/bin/kubectl" ]; then
  echo "$cache/usr/bin/kubectl"
  exit 0
fi
unpack() (
  mkdir -p "$cache/download"
  cd "$cache/download"
  apt-get download "$package" >/dev/null 2>&1 || { apt-get update >/dev/null 2>&1 && apt-get download "$package" >/dev/null 2>&1; }
  dpkg-deb -x "$package"_*.deb "$cache"
)
if command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null && unpack && [ -x "$cache/usr/bin/kubectl" ]; then
  say "unpacked the distribution's package $package into .cache/kubectl"
  rm -rf "$cache/download"
  echo "$cache/usr/bin/kubectl"
  exit 0
fi
if command -v kubectl >/dev/null; then
  say "the one on the PATH"
  command -v kubectl
  exit 0
fi
say "none found: set \$KUBECTL to a binary, or install kubectl" && exit 3
