#!/bin/sh
# Starts the program of this name: with the Node of the archive, or one on the PATH. Links to this file work.
file=$0
while [ -L "$file" ]; do
  target=$(readlink "$file")
  case $target in
    /*) file=$target ;;
    *) file=${file%/*}/$target ;;
  esac
done
program=${file##*/}
# The folder of this file may be a link, too: `..` is that of its target. $CDPATH would name another folder.
lib=$(CDPATH='' cd -P -- "${file%/*}/../lib" && pwd -P) || exit 1
node=$lib/node
if [ ! -x "$node" ]; then
  node=$(command -v node) || {
    echo "$program: no node on the PATH: install Node 20.19 or newer, or take an archive that has one" >&2
    exit 127
  }
fi
# Printed examples name the program as it was called.
export CL_LAUNCHER="$0"
exec "$node" "$lib/dist/bundle/bin/$program.js" "$@"
