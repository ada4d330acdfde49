#!/bin/sh
# The main job on a real book: reads a chapter of the Debian Administrator's Handbook once, then asks
# it questions. Prints each command as a user would type it.
#
#   tests/demo.sh [DIRECTORY]   where lctool is; the top directory
set -eu
cd "$(dirname "$0")/.."
bin=$(cd "${1:-.}" && pwd)
tests/install.sh debian-handbook
tests/get-model.sh
tests/get-embedder.sh
book=/usr/share/doc/debian-handbook/html/en-US
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$bin:$PATH

# Chapter 9, "Unix Services", without its index pages; links give evidence its short names.
mkdir "$work/handbook"
for part in remote-login rights-management syslog task-scheduling-cron-atd \
    asynchronous-task-scheduling-anacron quotas backup hotplug; do
    ln -s "$book/sect.$part.html" "$work/handbook/$part.html"
done
cd "$work"

show() {
    printf '\n$'
    for word in "$@"; do
        case $word in
        *[!A-Za-z0-9_./=-]*) printf ' "%s"' "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    "$@"
}

show lctool encode handbook/*.html -o handbook.kvz
show lctool query handbook.kvz "What does the at command do?" --evidence 2 -n 60
show lctool query handbook.kvz "What is used to back up the servers every day?" --evidence 2 -n 60
show lctool query handbook.kvz "Which command changes the permissions of a file?" --evidence 2 -n 60
show lctool query handbook.kvz "What is anacron for?" --evidence 2 -n 60
show lctool inspect handbook.kvz
