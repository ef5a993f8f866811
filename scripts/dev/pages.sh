#!/bin/sh
# Makes docs/stages anew from what the stages of a build say of themselves. .ci/run fails where that changes a page.
# usage: pages.sh [BUILD]
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build}
[ -x "$build/traceweir" ] || { echo "pages.sh: $build/traceweir is not built" >&2; exit 1; }
rm -f docs/stages/*.md
unset TRACEWEIR_PLUGINS # the plugins of the tree alone
XDG_DATA_HOME=/nowhere "$build/traceweir" help --plugins "$build/plugins" --pages docs/stages
