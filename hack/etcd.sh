#!/usr/bin/env bash
# Prints the path of an etcd binary: $ETCD, `etcd` on the PATH, a cached copy, the pinned official release, or the
# distribution's package unpacked without installing it. Talks on stderr. Ends with 3 where there is none.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
release=v3.6.14
releases=https://github.com/etcd-io/etcd/releases/download
package=etcd-server
say() { echo "etcd: $*" >&2; }

found() {
  echo "$1"
  exit 0
}

# Installed in a read-only place, the package keeps its copy in the user's cache. What was found for an earlier pinned
# release is not used for this one.
cache_directory() {
  if mkdir -p "$root/.cache/etcd/for-$release" 2>/dev/null && [ -w "$root/.cache/etcd/for-$release" ]; then
    echo "$root/.cache/etcd/for-$release"
  else
    # Without $HOME, as in some services, bash asks the system for the user's directory.
    echo "${XDG_CACHE_HOME:-$(echo ~)/.cache}/cl-apiserver/etcd/for-$release"
  fi
}

# The name of a release's archive for this machine, and its SHA-256, from the release's SHA256SUMS.
archive() {
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64)
      echo linux-amd64.tar.gz ffe840ff9295808e88cce2794a18a5ac87f12a5203c8314d0bf6aa119b41bac5 ;;
    Linux-aarch64 | Linux-arm64)
      echo linux-arm64.tar.gz fa1b80565ee6fc2df1ae6f57a508b221f3ecc7d591c317c581cd8281b0842b3e ;;
    Darwin-x86_64)
      echo darwin-amd64.zip 17b8639cf303fee6c35958278d557263215a9a8f8c15fd89022b5aa67091b228 ;;
    Darwin-arm64)
      echo darwin-arm64.zip fd154573a1f4c098c214d8233507d2766c43a164f7e339c0385aae71d9a1afaf ;;
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

# Linux has sha256sum, macOS has shasum.
sum_of() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1"
  else
    shasum -a 256 "$1"
  fi | cut -d ' ' -f 1
}

# The last step is a rename within one directory, so that two runs at the same time or a broken one leave no half binary.
install_binary() {
  mkdir -p "$cache" && chmod 755 "$1" && mv -f "$1" "$binary.$$" && mv -f "$binary.$$" "$binary"
}

unpack_release() {
  local file sum name
  read -r file sum <<<"$(archive)"
  [ -n "$sum" ] || return 1
  name="etcd-$release-${file%%.*}"
  fetch "$releases/$release/etcd-$release-$file" "$work/$file" || return 1
  if [ "$(sum_of "$work/$file")" != "$sum" ]; then
    say "the release $release has the wrong checksum; not used"
    return 1
  fi
  # The tar of macOS reads zip files too.
  tar -xf "$work/$file" -C "$work" "$name/etcd" && install_binary "$work/$name/etcd"
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
  if [ ! -x "$ETCD" ] || [ -d "$ETCD" ]; then
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
# A file that a full disk or a power cut has left empty is fetched again.
if [ -x "$binary" ] && [ -s "$binary" ] && [ ! -d "$binary" ]; then
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
