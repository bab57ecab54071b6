#!/bin/sh
# Prints the unit tests of the folders of src/ that have changes since the last commit, or all of them if there are none.
set -eu
cd "$(dirname "$0")/.."
folders=$(git status --porcelain --untracked-files=all -- src test/unit 2>/dev/null | awk '{
  sub(/^...(.* -> )?/, "")
  parts = split($0, part, "/")
  if (part[1] == "src" && parts > 2) print part[2]
  if (part[1] == "test" && parts > 3) print part[3]
}' | sort -u)
found=
for folder in $folders; do
  [ ! -d "test/unit/$folder" ] || found="$found dist/test/unit/$folder/**/*.test.js"
done
echo "${found:-dist/test/unit/**/*.test.js}"
