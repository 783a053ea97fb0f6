#!/bin/sh
# Becomes the program in the package for this platform, which npm has put beside this one or inside it.
self=$(readlink -f "$0")
above=${self%/bin/glovebox}
inside=yes
while [ -n "$inside" ]; do
  case $above/ in */node_modules/*) ;; *) inside= ;; esac
  program=$above/node_modules/@glovebox/linux-x64/bin/glovebox
  [ -x "$program" ] && exec "$program" "$@"
  above=${above%/*}
done
case $(uname -sm) in
  "Linux x86_64") echo "glovebox: the package @glovebox/linux-x64 is missing. It needs glibc; install again without --omit=optional." ;;
  *) echo "glovebox: it runs on Linux with an x86-64 processor, not on $(uname -sm). Install it on such a machine and start it there, as in: ssh HOST glovebox serve" ;;
esac >&2
exit 4
