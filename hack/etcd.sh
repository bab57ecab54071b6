#!/usr/bin/env bash
# Prints the path of an etcd binary: $ETCD, `etcd` on the PATH, a cached copy, the pinned official release, or the
# distribution's package unpacked without installing it. Talks on stderr. Ends with 3 where there is none.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
release=v3.5.21
releases=https://github.com/etcd-io/etcd/releases/download
package=etcd-server
say() { echo "etcd: $*" >&2; }

found() {
  echo "$1"
  exit 0
}

# Installed in a read-only place, the package keeps its copy in the user's cache.
cache_directory() {
  if mkdir -p "$root/.cache/etcd" 2>/dev/null && [ -w "$root/.cache/etcd" ]; then
    echo "$root/.cache/etcd"
  else
    echo "${XDG_CACHE_HOME:-$HOME/.cache}/cl-apiserver/etcd"
  fi
}

# SHA-256 of the release's archive, from its SHA256SUMS.
checksum() {
  case "$1" in
    linux-amd64) echo adddda4b06718e68671ffabff2f8cee48488ba61ad82900e639d108f2148501c ;;
    linux-arm64) echo 95bf6918623a097c0385b96f139d90248614485e781ec9bee4768dbb6c79c53f ;;
  esac
}

platform() {
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) echo linux-amd64 ;;
    Linux-aarch64 | Linux-arm64) echo linux-arm64 ;;
  esac
}

# fetch <address> <file>: gives up soon where the host cannot be reached.
fetch() {
  if command -v curl >/dev/null; then
    curl -fsSL --connect-timeout 3 --max-time 300 -o "$2" "$1" 2>/dev/null
  elif command -v wget >/dev/null; then
    wget -q --tries=1 --connect-timeout=3 --read-timeout=30 -O "$2" "$1" 2>/dev/null
  else
    return 1
  fi
}

# The last step is a rename within one directory, so that two runs at the same time or a broken one leave no half binary.
install_binary() {
  mkdir -p "$cache" && chmod 755 "$1" && mv -f "$1" "$binary.$$" && mv -f "$binary.$$" "$binary"
}

unpack_release() {
  local for_platform name sum
  for_platform=$(platform)
  sum=$(checksum "$for_platform")
  [ -n "$sum" ] || return 1
  name="etcd-$release-$for_platform"
  fetch "$releases/$release/$name.tar.gz" "$work/release.tar.gz" || return 1
  if ! echo "$sum  $work/release.tar.gz" | sha256sum -c - >/dev/null 2>&1; then
    say "the release $release has the wrong checksum; not used"
    return 1
  fi
  tar -xzf "$work/release.tar.gz" -C "$work" "$name/etcd" && install_binary "$work/$name/etcd"
}

unpack_package() {
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
  (
    cd "$work"
    apt-get download "$package" >/dev/null 2>&1 ||
      { apt-get update >/dev/null 2>&1 && apt-get download "$package" >/dev/null 2>&1; }
  ) || return 1
  dpkg-deb -x "$work/$package"_*.deb "$work/package" && install_binary "$work/package/usr/bin/etcd"
}

if [ -n "${ETCD:-}" ]; then
  if [ ! -x "$ETCD" ]; then
    say "\$ETCD is $ETCD, which is not a program"
    exit 3
  fi
  say "\$ETCD: $ETCD"
  found "$ETCD"
fi
if command -v etcd >/dev/null; then
  say "the one on the PATH"
  found "$(command -v etcd)"
fi
cache=$(cache_directory)
binary=$cache/etcd
if [ -x "$binary" ]; then
  found "$binary"
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/etcd.XXXXXX")
trap 'rm -rf "$work"' EXIT
if unpack_release; then
  say "fetched the release $release into $cache"
  found "$binary"
fi
if unpack_package; then
  say "unpacked the distribution's package $package into $cache"
  found "$binary"
fi
say "none found. Install etcd 3.4 or newer, or set \$ETCD to the path of its binary."
exit 3
