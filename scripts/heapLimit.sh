#!/bin/sh
# Prints the Node option that limits the heap of a server to half of the memory of its machine or container. The other
# half is for columns of numbers and buffers, which are outside of the heap, and for a database on the machine.
# PLACEMENT_HEAP_MB overrides the limit. Prints nothing if NODE_OPTIONS has the option, or if the memory is unknown.
case "$NODE_OPTIONS" in *max-old-space-size* | *max_old_space_size*) exit 0 ;; esac

machine() {
  if [ -r /proc/meminfo ]; then
    awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo
  else
    sysctl -n hw.memsize 2>/dev/null | awk '{ print int($1 / 1048576) }'
  fi
}

# a number of bytes, or "max"
container() { cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null | head -n 1; }

limit=$PLACEMENT_HEAP_MB
if [ -z "$limit" ]; then
  limit=$(container | awk -v all="$(machine)" '
    /^[0-9]+$/ && $1 / 1048576 < all { all = int($1 / 1048576) }
    END { print int(all / 2) }')
fi
if [ "$limit" -gt 0 ] 2>/dev/null; then echo "--max-old-space-size=$limit"; fi
