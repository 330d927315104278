#!/bin/sh
# Builds clrng-testu01, which runs TestU01 on words from a pipe, where TestU01 is installed.
#
#     build_driver.sh [FOLDER [PREFIX]]
#
# FOLDER is where it goes: by default $CLRNG_BATTERIES, or ~/.cache/clrng/batteries. PREFIX is where TestU01 is, by default
# /usr: Debian has it as libtestu01-0-dev in its section non-free, and it can be had from its authors' page,
# simul.iro.umontreal.ca/testu01. CC and CFLAGS are used as they are set.
set -eu
folder=${1:-${CLRNG_BATTERIES:-$HOME/.cache/clrng/batteries}}
prefix=${2:-/usr}
here=$(cd "$(dirname "$0")" && pwd)
machine=$(${CC:-cc} -print-multiarch 2>/dev/null || true)

for header in "$prefix/include/testu01/bbattery.h" "$prefix/include/bbattery.h"; do
    [ -f "$header" ] && found=$header
done
if [ -z "${found:-}" ]; then
    echo "TestU01 is not in $prefix: there is no include/testu01/bbattery.h; name its prefix as the second argument" >&2
    exit 1
fi
flags="-I$prefix/include -I$prefix/include/$machine -L$prefix/lib -L$prefix/lib/$machine"
case $found in
*/testu01/*) libraries="-ltestu01 -ltestu01probdist -ltestu01mylib" ;;
*) # as the authors' own installation names them
    libraries="-ltestu01 -lprobdist -lmylib"
    flags="$flags -DPLAIN_HEADERS"
    ;;
esac
mkdir -p "$folder"
# shellcheck disable=SC2086  # flags are words
${CC:-cc} ${CFLAGS:--O3} $flags -o "$folder/clrng-testu01.new" "$here/drivers/testu01.c" $libraries -lm
mv "$folder/clrng-testu01.new" "$folder/clrng-testu01"
echo "built $folder/clrng-testu01"
