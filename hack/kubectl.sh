#!/usr/bin/env bash
# kubectl.sh [newest]: prints the path of a kubectl for the tests: $KUBECTL, a cached copy, the distribution's package unpacked without
# installing it, or the one on the PATH. `newest` is the package of the distribution's newest suite, if it can be had. Talks on stderr.
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
# The lists of that suite are kept apart from those of the machine.
unpack_newest() (
  newest=$1
  mkdir -p "$newest/lists/partial" "$newest/archives/partial"
  site=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)
  keys=$(ls /usr/share/keyrings/*-archive-keyring.gpg | grep debian | head -n 1)
  echo "deb [signed-by=$keys] $site sid main" >"$newest/sources.list"
  : >"$newest/status"
  set -- -o Dir::Etc::sourcelist="$newest/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$newest/lists" \
    -o Dir::State::status="$newest/status" -o Dir::Cache::archives="$newest/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
  apt-get "$@" update >/dev/null 2>&1
  cd "$newest/archives"
  apt-get "$@" download kubectl >/dev/null 2>&1
  dpkg-deb -x kubectl_*.deb "$newest"
)
if [ "${1:-}" = newest ]; then
  newest="$root/.cache/kubectl-newest"
  # Tests that run beside each other fetch it once.
  mkdir -p "$root/.cache"
  exec 9>"$newest.lock"
  if command -v flock >/dev/null; then flock 9; fi
  if [ -x "$newest/usr/bin/kubectl" ] || { command -v apt-get >/dev/null && unpack_newest "$newest"; }; then
    rm -rf "$newest/lists" "$newest/archives"
    echo "$newest/usr/bin/kubectl"
    exit 0
  fi
  say "the newest package cannot be had"
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
# Not beside chromium.sh: apt-get refuses to work beside another.
mkdir -p "$root/.cache"
exec 8>"$root/.cache/apt.lock"
if command -v flock >/dev/null; then flock 8; fi
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
