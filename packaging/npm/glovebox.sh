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

# Where it does not run, `serve --via PLACE` reaches a Linux that has it, as the program itself does (serve_via.cc).
refuse() { echo "glovebox: $1" >&2; exit "$2"; }
refuse_place() { refuse "--via takes ssh://[USER@]HOST[:PORT] or docker://CONTAINER, not $via" 2; }
quoted() { printf "'%s' " "$(printf %s "$1" | sed "s/'/'\\\\''/g")"; }
via='' takes_place='' left=$#
while [ "$1" = serve ] || [ "$left" -lt $# ] && [ "$left" -gt 0 ]; do
  word=$1 left=$((left - 1))
  shift
  case $takes_place$word in
    --via) takes_place=yes: ;;
    --via=*) via=${word#--via=} ;;
    yes:*) via=$word takes_place='' ;;
    *) set -- "$@" "$word" ;;
  esac
done
case $via in
  '') ;;
  ssh://?*)
    host=${via#ssh://} port=''
    case $host in *\]) ;; *:*) port=${host##*:} host=${host%:*} ;; esac
    host=$(printf %s "$host" | tr -d '[]')
    case $host/$port in -* | /* | *[!A-Za-z0-9._@:%/-]* | */*[!0-9]*) refuse_place ;; esac
    exec ssh -T ${port:+-p "$port"} -- "$host" "glovebox $(for word; do quoted "$word"; done)" ;;
  docker://[A-Za-z0-9]*) exec docker exec -i "${via#docker://}" glovebox "$@" ;;
  *) refuse_place ;;
esac
case $(uname -sm) in
  "Linux x86_64") refuse "the package @glovebox/linux-x64 is missing. It needs glibc; install again without --omit=optional." 4 ;;
  *) refuse "it runs on Linux with an x86-64 processor, not on $(uname -sm). To use one that has it: glovebox serve --via ssh://HOST" 4 ;;
esac
