#!/usr/bin/env bash
# python3-clustershell 1.9.1-1 and slurm-client 22.05.8-4+deb12u3 (Debian 12): each writes host lists that the other
# refuses. Slurm folds n01 to n120 into n[01-120]; ClusterShell refuses the range for its widths ("padding length
# mismatch"), although the notes of its release 1.9 say that ranges of mixed widths are safe now, and although it ships
# group sources that read Slurm's lists. ClusterShell folds n1-ib and n2-ib into n[1-2]-ib, which Slurm calls invalid.
# It comes when a cluster grows: the lists of 99 nodes with two digits pass, and the hundredth node breaks the import.
# Exchange host lists between the two as plain names only.
#
# Seen on 2026-11-30: n[01-99] is read by both, n[01-100] and n[01-120] by Slurm alone, n[1-2]-ib by ClusterShell alone.
# Needs Debian 12 with its package lists (apt-get update), libreadline8 and Python 3. Fails if the behaviour changes.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
version=22.05.8-4+deb12u3
apt-get download -qq "slurm-client=$version" "slurm-wlm-basic-plugins=$version" python3-clustershell=1.9.1-1 2> apt.log \
  || { cat apt.log >&2; exit 1; }
for package in *.deb; do dpkg-deb -x "$package" root; done
plugins="$folder/root/usr/lib/x86_64-linux-gnu/slurm-wlm"
printf 'ClusterName=c\nSlurmctldHost=localhost\nPluginDir=%s\n' "$plugins" > slurm.conf
export SLURM_CONF="$folder/slurm.conf" PYTHONPATH="$folder/root/usr/lib/python3/dist-packages"
slurm() { LD_LIBRARY_PATH="$plugins" root/usr/bin/scontrol show "$@"; }
nodeset() { python3 -m ClusterShell.CLI.Nodeset "$@"; }

isAsExpected=true
check() { # plain names, how each folds them and whether the other reads that
  local bySlurm byClusterShell result
  bySlurm="$(slurm hostlist "$1")"
  byClusterShell="$(nodeset --fold "$1")"
  result="Slurm $bySlurm"
  nodeset --expand "$bySlurm" > /dev/null 2>&1 || result+=' (refused by ClusterShell)'
  result+=", ClusterShell $byClusterShell"
  slurm hostnames "$byClusterShell" > slurm.out 2> slurm.err && ! grep -q 'Invalid hostlist' slurm.out slurm.err \
    || result+=' (refused by Slurm)'
  echo "$result"
  if [ "$result" != "$2" ]; then isAsExpected=false; fi
}
check "$(seq -f 'n%02g' -s , 99)" 'Slurm n[01-99], ClusterShell n[01-99]'
check "$(seq -f 'n%02g' -s , 100)" 'Slurm n[01-100] (refused by ClusterShell), ClusterShell n[01-99,100]'
check "$(seq -f 'n%02g' -s , 120)" 'Slurm n[01-120] (refused by ClusterShell), ClusterShell n[01-99,100-120]'
check n1-ib,n2-ib 'Slurm n1-ib,n2-ib, ClusterShell n[1-2]-ib (refused by Slurm)'
{ nodeset --expand 'n[01-120]' 2>&1 || true; } | tail -n 1
"$isAsExpected"
