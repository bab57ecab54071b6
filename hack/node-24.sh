#!/usr/bin/env bash
# Prints the path of a Node 24: $NODE_24, `node` on the PATH if it is one, a cached copy, or the pinned release from npm.
# Talks on stderr. Ends with 3 where there is none.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
release=24.21.0
say() { echo "node 24: $*" >&2; }

found() {
  echo "$1"
  exit 0
}

is_24() { [[ "$("$1" --version 2>/dev/null)" == v24.* ]]; }

if [ -n "${NODE_24:-}" ]; then
  is_24 "$NODE_24" && found "$NODE_24"
  say "\$NODE_24 is $NODE_24, which is not a Node 24"
  exit 3
fi
is_24 "$(command -v node)" && found "$(command -v node)"
cache=$root/.cache/node-24
package=$(node -p '`node-${process.platform}-${process.arch}`')
binary=$cache/node_modules/$package/bin/node
is_24 "$binary" && found "$binary"
mkdir -p "$cache"
if npm install --prefix "$cache" --no-save --no-audit --no-fund --silent "$package@$release" >&2 && is_24 "$binary"; then
  say "fetched $release into $cache"
  found "$binary"
fi
say "none found. Set \$NODE_24 to the path of its binary."
exit 3
