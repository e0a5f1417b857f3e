#!/bin/sh
# Installs the system packages that LYDIAN needs (Debian, Ubuntu): python3-venv, and the libraries required by Qt.
#
# If nothing is missing, it changes nothing and does not need root. Otherwise it lists the missing packages with
# reasons and calls apt-get, through sudo unless it is run by root.
#
#   PYTHON=python3.12 sh scripts/deps.sh     for a Python other than python3
#   sh scripts/deps.sh --check               only check: exit code 1 if something is missing
#   sh scripts/deps.sh --first               before make run and make test: silent if nothing is missing; without
#                                            apt-get it lists the missing packages and lets the caller continue
set -eu

python=${PYTHON:-python3}
check=no
first=no
case "${1:-}" in
    --check) check=yes ;;
    --first) first=yes ;;
esac

if [ "$(uname -s)" != Linux ]; then
    [ "$first" = yes ] || echo "Nothing to install: on this system the Python packages include all that Qt needs."
    exit 0
fi

# The Python that scripts/setup.py will use: the requested one, otherwise the newest suitable one on the PATH.
suitable=""
for candidate in "$python" python3.13 python3.12 python3.11; do
    version=$("$candidate" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
    case "$version" in
        3.11 | 3.12 | 3.13) suitable=$candidate; break ;;
    esac
done
newer=""  # a suitable Python among the system's packages, if none is installed
if [ -z "$suitable" ] && command -v apt-cache >/dev/null 2>&1; then
    for candidate in python3.13 python3.12 python3.11; do
        if apt-cache show "$candidate-venv" >/dev/null 2>&1; then newer=$candidate; break; fi
    done
fi
if [ -z "$suitable$newer" ] || ! command -v "$python" >/dev/null 2>&1; then
    echo "LYDIAN needs Python 3.11, 3.12 or 3.13, but '$python' is not one of these: install one, or name it: make run PYTHON=/path/to/python3.12" >&2
    exit 1
fi
python=${suitable:-$python}

PATH=$PATH:/sbin:/usr/sbin
libraries=$(ldconfig -p 2>/dev/null || true)
missing=""

# need PACKAGE SONAME: add the package to the missing ones if there is no library of that name.
need() {
    case "$libraries" in
        *"$2 "*) ;;
        *) missing="$missing $1"; group="$group $1" ;;
    esac
}

# tell WHY: list the missing packages of the last group with their purpose.
tell() {
    [ -z "$group" ] || printf '  %s\n     %s\n' "$1" "${group# }"
    group=""
}

report=$(
    group=""
    if [ -n "$newer" ]; then
        group=" $newer $newer-venv"
        missing="$missing$group"
        tell "Python 3.11, 3.12 or 3.13, and an environment (.venv) for LYDIAN:"
    elif ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        package="python$version-venv"
        [ "$(command -v "$python" || true)" != /usr/bin/python3 ] || package=python3-venv
        group=" $package"
        missing="$missing$group"
    fi
    tell "to create LYDIAN's own Python environment (.venv):"

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
    tell "a font (without one, every text is blank):"
    echo "MISSING$missing"
)
missing=${report##*MISSING}
missing=${missing# }
report=${report%MISSING*}

if [ -z "$missing" ]; then
    [ "$first" = yes ] || echo "Nothing is missing: Python $version can create environments, and Qt's libraries and a font are installed."
    exit 0
fi
echo "Missing on this system:"
printf '%s' "$report"
[ "$check" = no ] || exit 1

if ! command -v apt-get >/dev/null 2>&1; then
    echo "There is no apt-get: install these packages (named as in Debian) with the system's own package manager." >&2
    [ "$first" = yes ] || exit 1
    echo "Continuing without them; if LYDIAN does not start, they are the reason." >&2
    exit 0
fi
if [ "$(id -u)" = 0 ]; then
    root="env DEBIAN_FRONTEND=noninteractive"
elif command -v sudo >/dev/null 2>&1; then
    echo "Installing them with sudo, which may ask for your password."
    root="sudo env DEBIAN_FRONTEND=noninteractive"
else
    echo "Only root may install them, and there is no sudo. As root, run:" >&2
    echo "  apt-get update && apt-get install --no-install-recommends $missing" >&2
    exit 1
fi

# An outdated package list is not a reason to stop: the installation reports any problem with it.
$root apt-get update -qq || echo "Not all package lists could be fetched; trying with the existing ones." >&2
# shellcheck disable=SC2086  # both are lists of words
$root apt-get install -y -qq --no-install-recommends $missing
echo "Done."
