#!/bin/sh
# Installs ifttt from the unpacked archive, or removes it: ./install.sh [--prefix DIR] [--uninstall] [--dry-run]
#
#   --prefix DIR   the folder with bin, libexec and share. Default: /usr/local for root, ~/.local for other users
#   --uninstall    remove the installed files
#   --dry-run      print what would change, and change nothing
#
# The list of installed files is DIR/lib/ifttt/installed-files. It is not in share/ifttt, because below ~/.local that folder is
# the program's store, and not in libexec/ifttt, where the program looks for plugins. A copy of this script is beside the list,
# so that `DIR/lib/ifttt/install.sh --uninstall` works without the archive.
set -eu

# A plugin that other users could change is not trusted.
umask 022
# Names are bytes, and the order of lists is the same everywhere.
LC_ALL=C
export LC_ALL
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)

state=lib/ifttt
list=$state/installed-files

usage() {
  # The comment above.
  sed -n '2,/^set -eu/{/^#/s/^# \{0,1\}//p;}' "$0"
}
fail() {
  echo "install.sh: $1" >&2
  exit 1
}

prefix=
has_prefix=
uninstall=
dry_run=
while [ $# -gt 0 ]; do
  case "$1" in
    --prefix)
      [ $# -ge 2 ] || fail "--prefix requires a folder"
      prefix=$2 has_prefix=yes
      shift
      ;;
    --prefix=*) prefix=${1#--prefix=} has_prefix=yes ;;
    --uninstall) uninstall=yes ;;
    --dry-run) dry_run=yes ;;
    -h | --help)
      usage
      exit
      ;;
    *)
      echo "install.sh: unknown argument '$1'" >&2
      usage >&2
      exit 2
      ;;
  esac
  shift
done

if [ -n "$has_prefix" ]; then
  [ -n "$prefix" ] || fail "--prefix requires a folder"
else
  if [ -f "$here/installed-files" ]; then
    # The installed copy of this script.
    prefix=$(cd "$here/../.." && pwd)
  elif [ "$(id -u)" -eq 0 ]; then
    prefix=/usr/local
  else
    [ -n "${HOME-}" ] || fail "HOME is not set; pass --prefix DIR"
    prefix=$HOME/.local
  fi
fi
case "$prefix" in
  /*) ;;
  *) prefix=$PWD/$prefix ;;
esac
case "$prefix" in
  *'
'*) fail "the folder's name contains a line break" ;;
esac

work=$(mktemp -d "${TMPDIR:-/tmp}/ifttt-install.XXXXXX")
placing=
finish() {
  status=$?
  rm -rf "$work"
  if [ -n "$placing" ]; then rm -f "$placing"; fi
  exit "$status"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# The list that an earlier run left: one path per line, relative to the prefix. A path that ends in / is a folder that a run
# created; ./ is the prefix.
: >"$work/old"
if [ -f "$prefix/$list" ]; then
  cp "$prefix/$list" "$work/old"
  # Only paths of this shape are ever written. Another one could name a file outside the prefix, or the store.
  if grep -Evq '^(\./|(bin|lib|libexec|share)(/[A-Za-z0-9_][A-Za-z0-9._-]*)*/?)$' "$work/old" ||
    grep -Eq '^share/ifttt(/|$)' "$work/old"; then
    fail "$prefix/$list contains other paths than those of ifttt; nothing was changed"
  fi
fi

# Prints an action, and executes it unless --dry-run is given.
remove_file() {
  [ -e "$prefix/$1" ] || [ -h "$prefix/$1" ] || return 0
  if [ -n "$dry_run" ]; then
    echo "remove $prefix/$1"
  else
    rm -f "$prefix/$1" || fail "$prefix/$1 cannot be removed"
  fi
}

# Removes the files and the empty folders of a list. Folders follow their contents.
remove_all() {
  sort -r "$1" | while IFS= read -r path; do
    case "$path" in
      */)
        # Other programs may have put files into it.
        folder=${path%/}
        [ -n "$dry_run" ] || rmdir "$prefix/${folder#.}" 2>/dev/null || true
        ;;
      *) remove_file "$path" ;;
    esac
  done
}

if [ -n "$uninstall" ]; then
  [ -s "$work/old" ] || fail "$prefix/$list does not exist; install.sh installed nothing in $prefix"
  # Last, so that an interrupted run can be repeated.
  grep -vxF -e "$list" -e "$state/" -e lib/ -e ./ "$work/old" >"$work/files" || true
  grep -xF -e "$list" -e "$state/" -e lib/ -e ./ "$work/old" >"$work/state" || true
  remove_all "$work/files"
  remove_all "$work/state"
  [ -n "$dry_run" ] || echo "Removed ifttt from $prefix. The store was not changed."
  exit
fi

# packaging/archive/make fills in the system of this archive, and those of packaging/release/platforms.
built_for='@SYSTEM@'
released='@SYSTEMS@'
system=$(uname -s)/$(uname -m)
# A shell for Intel on a Mac with an Apple processor reports x86_64, and the Mac runs both kinds of programs.
if [ "$system" = Darwin/x86_64 ] && [ "$(sysctl -n hw.optional.arm64 2>/dev/null)" = 1 ]; then system=Darwin/arm64; fi
if [ "$system" != "$built_for" ]; then
  case " $released " in
    *" $system "*) fail "this archive is for $built_for, and this system is $system; download the archive for this system" ;;
  esac
  fail "there is no release for $system; build the program from source: https://github.com/@REPOSITORY@#install"
fi

[ -f "$here/bin/ifttt" ] || fail "$here/bin/ifttt does not exist; run this script in the folder of the unpacked archive"

# The new files. The program comes last: when it is there, its plugins are too.
(cd "$here" && find libexec share bin -type f | sort) >"$work/found"
{
  grep '^libexec/' "$work/found"
  grep '^share/' "$work/found"
  echo "$state/install.sh"
  grep '^bin/' "$work/found"
} >"$work/new"

# The folders that must be created, and those that an earlier run created.
while IFS= read -r path; do
  folder=$path
  while :; do
    case "$folder" in
      */*) folder=${folder%/*} ;;
      *) break ;;
    esac
    echo "$folder/"
  done
done <"$work/new" | sort -u >"$work/folders"
echo ./ >>"$work/folders"
while IFS= read -r folder; do
  if [ -e "$prefix/${folder%/}" ] && ! [ -d "$prefix/${folder%/}" ]; then fail "$prefix/${folder%/} is not a folder"; fi
  if ! [ -d "$prefix/$folder" ] || grep -qxF -e "$folder" "$work/old"; then echo "$folder"; fi
done <"$work/folders" >"$work/created"
while IFS= read -r path; do
  if [ -d "$prefix/$path" ]; then fail "$prefix/$path is a folder"; fi
done <"$work/new"

{
  cat "$work/new" "$work/created"
  echo "$list"
} | sort -u >"$work/list"
grep -vxF -f "$work/list" "$work/old" >"$work/obsolete" || true

if [ -n "$dry_run" ]; then
  while IFS= read -r path; do echo "install $prefix/$path"; done <"$work/new"
  remove_all "$work/obsolete"
  exit
fi

# Copies a file beside its destination: copy SOURCE PATH MODE
copy() {
  placing=$prefix/$2.ifttt-new.$$
  rm -f "$placing"
  if cp "$1" "$placing" && chmod "$3" "$placing"; then return; fi
  fail "$prefix/$2 cannot be written; to install into another folder, pass --prefix DIR"
}
# Replaces the old file, if there is one, by a rename: a file is always complete.
place() {
  copy "$1" "$2" "$3"
  mv -f "$placing" "$prefix/$2" || fail "$prefix/$2 cannot be replaced"
  placing=
}
folder() {
  mkdir -p "$prefix/$1" || fail "$prefix/$1 cannot be created; to install into another folder, pass --prefix DIR"
}

# Start the program before anything is replaced, and start it where it will be: a folder such as /tmp may forbid programs.
folder bin
copy "$here/bin/ifttt" bin/ifttt 755
version=$("$placing" --version 2>"$work/errors") || version=
cat "$work/errors" >&2
rm -f "$placing"
placing=
if [ -z "$version" ]; then
  grep -xF -e bin/ -e ./ "$work/created" >"$work/state" || true
  [ -s "$work/old" ] || remove_all "$work/state"
  # The loader names each version that is missing: version `GLIBC_2.35' not found
  needed=$(grep -o 'GLIBC_[0-9][0-9.]*' "$work/errors" | sed 's/GLIBC_//' | sort -t. -k1,1n -k2,2n | tail -n 1) || needed=
  if [ -n "$needed" ]; then
    found=$(getconf GNU_LIBC_VERSION 2>/dev/null) || found='another C library'
    fail "the program needs glibc $needed or later, and this system has $found; nothing was installed"
  fi
  fail "the program of this archive does not run on this system (see the message above); nothing was installed"
fi

# From here on, the list has the files of both versions, so that --uninstall can remove the result of an interrupted run.
folder "$state"
sort -u "$work/list" "$work/old" >"$work/both"
place "$work/both" "$list" 644

while IFS= read -r path; do
  source=$here/$path
  mode=644
  case "$path" in
    "$state/install.sh") source=$here/install.sh mode=755 ;;
    *) if [ -x "$source" ]; then mode=755; fi ;;
  esac
  folder "${path%/*}"
  place "$source" "$path" "$mode"
done <"$work/new"
remove_all "$work/obsolete"
place "$work/list" "$list" 644

echo "Installed $version in $prefix"
case "$prefix" in
  *[!A-Za-z0-9/._-]*) path="'$(printf '%s' "$prefix/bin" | sed "s/'/'\\\\''/g")':\"\$PATH\"" ;;
  *) path="\"$prefix/bin:\$PATH\"" ;;
esac
case ":${PATH-}:" in
  *":$prefix/bin:"*) ;;
  *)
    echo
    echo "$prefix/bin is not on your PATH. To add it, put this line into ~/.profile (zsh: ~/.zprofile), then sign in again:"
    echo "  export PATH=$path"
    ;;
esac
echo "To check the setup, run: ifttt doctor"
