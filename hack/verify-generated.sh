#!/bin/sh
# Regenerates src/gen/ beside the committed copy and fails where they differ.
set -eu
cd "$(dirname "$0")/.."
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
node_modules/.bin/buf generate --output "$fresh"
if ! diff -r -q src/gen "$fresh/src/gen"; then
  echo "src/gen/ is not what proto/ generates: run 'make generate' and commit the result" >&2
  exit 1
fi
