#!/usr/bin/env bash
# slurm-client 22.05.8-4+deb12u3 (Debian 12): a number at the end of a host name is read as 64 bits. From 2^64 on every
# number becomes 18446744073709551615, so host names that differ only there become one name, which no host has. There
# is no error and the status is 0. A number in front, 19 digits, or many zeros before a small number do no harm. Long
# numbers are not rare: a timestamp with microseconds has 20 digits, and the unique suffix of a name_prefix in Terraform has 26.
# An import that expands host lists with scontrol gets a single host for all of them, and with a name of none.
#
# Seen on 2026-11-30: both hosts with 20 digits become gpu-18446744073709551615, both with 26 digits
# node-00000018446744073709551615; the three other pairs come back as they were.
# Needs Debian 12 with its package lists (apt-get update) and libreadline8. Fails if the behaviour changes.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
version=22.05.8-4+deb12u3
apt-get download -qq "slurm-client=$version" "slurm-wlm-basic-plugins=$version" 2> apt.log || { cat apt.log >&2; exit 1; }
for package in *.deb; do dpkg-deb -x "$package" root; done
plugins="$folder/root/usr/lib/x86_64-linux-gnu/slurm-wlm"
printf 'ClusterName=c\nSlurmctldHost=localhost\nPluginDir=%s\n' "$plugins" > slurm.conf
export SLURM_CONF="$folder/slurm.conf" LD_LIBRARY_PATH="$plugins"

isAsExpected=true
check() { # names, the names that come back
  local found
  found="$(root/usr/bin/scontrol show hostnames "$1" | paste -sd ,)"
  echo "$1 -> $found"
  if [ "$found" != "$2" ]; then isAsExpected=false; fi
}
largest=18446744073709551615
check gpu-2026113003153012345,gpu-2026113003153012346 gpu-2026113003153012345,gpu-2026113003153012346
check gpu-20261130031530123456,gpu-20261130031530123457 "gpu-$largest,gpu-$largest"
check node-20261130031530123400000001,node-20261130031530123400000002 "node-000000$largest,node-000000$largest"
check 20261130031530123456-gpu,20261130031530123457-gpu 20261130031530123456-gpu,20261130031530123457-gpu
check gpu-00000000000000000000000001,gpu-00000000000000000000000002 \
  gpu-00000000000000000000000001,gpu-00000000000000000000000002
"$isAsExpected"
