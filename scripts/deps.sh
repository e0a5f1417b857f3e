#!/bin/sh
# Installs what LYDIAN needs from the system (Debian, Ubuntu): python3-venv, and the libraries Qt is built on.
#
# Looks first and touches nothing if nothing is missing, so it needs no root then.  Otherwise it says what is
# missing and why, and calls apt-get, through sudo unless it is run by root.
#
#   PYTHON=python3.12 sh scripts/deps.sh     for another Python than python3
#   sh scripts/deps.sh --check               only look: exit code 1 if something is missing
#   sh scripts/deps.sh --first               before make run, make test: silent if nothing is missing; where there
#                                            is no apt-get it names what it did not find and lets the caller go on
set -eu

python=${PYTHON:-python3}
check=no
first=no
case "${1:-}" in
    --check) check=yes ;;
    --first) first=yes ;;
esac

if [ "$(uname -s)" != Linux ]; then
    [ "$first" = yes ] || echo "Nothing to install: on this system the Python packages bring all that Qt needs."
    exit 0
fi

# The Python that scripts/setup.py will take: the one asked for, else the newest suitable one on the PATH.
suitable=""
for candidate in "$python" python3.13 python3.12 python3.11; do
    version=$("$candidate" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
    case "$version" in
        3.11 | 3.12 | 3.13) suitable=$candidate; break ;;
    esac
done
newer=""  # a suitable Python that the system's own packages have, if there is none yet
if [ -z "$suitable" ] && command -v apt-cache >/dev/null 2>&1; then
    for candidate in python3.13 python3.12 python3.11; do
        if apt-cache show "$candidate-venv" >/dev/null 2>&1; then newer=$candidate; break; fi
    done
fi
if [ -z "$suitable$newer" ] || ! command -v "$python" >/dev/null 2>&1; then
    echo "LYDIAN needs Python 3.11, 3.12 or 3.13, and '$python' is none of these: install one, or name it: make run PYTHON=/path/to/python3.12" >&2
    exit 1
fi
python=${suitable:-$python}

PATH=$PATH:/sbin:/usr/sbin
libraries=$(ldconfig -p 2>/dev/null || true)
missing=""

# need PACKAGE SONAME: the package is missing if no library of that name is known.
need() {
    case "$libraries" in
        *"$2 "*) ;;
        *) missing="$missing $1"; group="$group $1" ;;
    esac
}

# tell WHY: says what the last group of needs lacks.
tell() {
    [ -z "$group" ] || printf '  %s\n     %s\n' "$1" "${group# }"
    group=""
}

report=$(
    group=""
    if [ -n "$newer" ]; then
        group=" $newer $newer-venv"
        missing="$missing$group"
        tell "Python 3.11, 3.12 or 3.13, and its own environment (.venv) for LYDIAN:"
    elif ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        package="python$version-venv"
        [ "$(command -v "$python" || true)" != /usr/bin/python3 ] || package=python3-venv
        group=" $package"
        missing="$missing$group"
    fi
    tell "to make LYDIAN's own Python environment (.venv):"

    need libgl1 libGL.so.1
    need libegl1 libEGL.so.1
    need libxkbcommon0 libxkbcommon.so.0
    need libx11-6 libX11.so.6
    need libglib2.0-0 libglib-2.0.so.0
    need libfontconfig1 libfontconfig.so.1
    need libdbus-1-3 libdbus-1.so.3
    tell "libraries that Qt always loads:"

    need libxcb-cursor0 libxcb-cursor.so.0
    need libxcb-icccm4 libxcb-icccm.so.4
    need libxcb-image0 libxcb-image.so.0
    need libxcb-keysyms1 libxcb-keysyms.so.1
    need libxcb-randr0 libxcb-randr.so.0
    need libxcb-render-util0 libxcb-render-util.so.0
    need libxcb-shape0 libxcb-shape.so.0
    need libxcb-xfixes0 libxcb-xfixes.so.0
    need libxcb-sync1 libxcb-sync.so.1
    need libxcb-shm0 libxcb-shm.so.0
    need libxcb-xkb1 libxcb-xkb.so.1
    need libxkbcommon-x11-0 libxkbcommon-x11.so.0
    need libx11-xcb1 libX11-xcb.so.1
    tell "libraries that Qt loads to open a window on a screen:"

    if ! find /usr/share/fonts /usr/local/share/fonts "${HOME:-/nonexistent}/.fonts" \
        "${HOME:-/nonexistent}/.local/share/fonts" \( -name '*.ttf' -o -name '*.otf' \) 2>/dev/null | grep -q .; then
        group=" fonts-dejavu-core"
        missing="$missing$group"
    fi
    tell "letters (without a font every text is blank):"
    echo "MISSING$missing"
)
missing=${report##*MISSING}
missing=${missing# }
report=${report%MISSING*}

if [ -z "$missing" ]; then
    [ "$first" = yes ] || echo "Nothing is missing: Python $version can make environments, and Qt's libraries and a font are here."
    exit 0
fi
echo "Missing on this system:"
printf '%s' "$report"
[ "$check" = no ] || exit 1

if ! command -v apt-get >/dev/null 2>&1; then
    echo "There is no apt-get here: install these (names as in Debian) with the system's own package manager." >&2
    [ "$first" = yes ] || exit 1
    echo "Going on without them; if LYDIAN does not start, they are the reason." >&2
    exit 0
fi
if [ "$(id -u)" = 0 ]; then
    root="env DEBIAN_FRONTEND=noninteractive"
elif command -v sudo >/dev/null 2>&1; then
    echo "Installing them with sudo, which may ask for your password."
    root="sudo env DEBIAN_FRONTEND=noninteractive"
else
    echo "Only root may install them, and there is no sudo here. As root, run:" >&2
    echo "  apt-get update && apt-get install --no-install-recommends $missing" >&2
    exit 1
fi

# A package list that is there but old is not a reason to stop: the install says so if it matters.
$root apt-get update -qq || echo "The lists of packages could not all be fetched; trying with what is here." >&2
# shellcheck disable=SC2086  # both are lists of words
$root apt-get install -y -qq --no-install-recommends $missing
echo "Done."
