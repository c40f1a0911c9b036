#!/bin/sh
# install.sh [PREFIX]: copies oap and its pages from this folder to PREFIX: /usr/local for root, else ~/.local.
# install.sh --uninstall [PREFIX]: removes them. Tokens and profiles stay; see the section FILES of oap(1).
set -eu
here="$(cd "$(dirname "$0")" && pwd)"
action=install
if [ "${1:-}" = --uninstall ]; then
    action=uninstall
    shift
fi
if [ "$(id -u)" -eq 0 ]; then prefix=/usr/local; else prefix="$HOME/.local"; fi
prefix="${1:-$prefix}"

cd "$here"
files="$(find bin share -type f)"
if [ "$action" = uninstall ]; then
    echo "$files" | while IFS= read -r file; do rm -f "$prefix/$file" "$prefix/$file.new"; done
    find share -depth -type d -path '*/oap*' | while IFS= read -r folder; do
        rmdir "$prefix/$folder" 2> /dev/null || true
    done
    echo "oap is no longer in $prefix"
    exit 0
fi

# The loader of this version knows packed relocations.
needed=2.36
c_library="$(getconf GNU_LIBC_VERSION 2> /dev/null | sed 's/^glibc //')"
if [ -z "$c_library" ] || [ "$(printf '%s\n%s\n' "$needed" "$c_library" | sort -V | head -n 1)" != "$needed" ]; then
    echo "install.sh: oap needs glibc $needed or later; this system has ${c_library:-another C library}" >&2
    exit 1
fi

# Each file is complete under its name or not there at all; the programs come last.
for file in $(echo "$files" | grep -v ^bin/) bin/oap-sandbox bin/oap; do
    mkdir -p "$prefix/$(dirname "$file")"
    cp -p "$file" "$prefix/$file.new"
    mv -f "$prefix/$file.new" "$prefix/$file"
done
"$prefix/bin/oap" --version > /dev/null
echo "oap is in $prefix/bin"
for library in libcurl.so.4 libjq.so.1 libmicrohttpd.so.12; do
    # The loader's cache is in a folder that not every PATH has.
    PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2> /dev/null | grep -q "$library" ||
        echo "install.sh: $library is missing; Debian: apt-get install libcurl4 libjq1 libmicrohttpd12" >&2
done
case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "install.sh: $prefix/bin is not on the PATH" >&2 ;;
esac
first="$(command -v oap || true)"
[ "${first:-$prefix/bin/oap}" = "$prefix/bin/oap" ] || echo "install.sh: $first comes first on the PATH" >&2
