#!/bin/sh
# Run in namespaces of its own, which end with it and take every mount along: makes a folder the root of a machine and runs a program
# in it as process 1.  enter.sh LOWER FOLDER SOURCE:TARGET... -- PROGRAM...
set -e
lower=$1 folder=$2
shift 2
mount --make-rprivate /
mkdir -p "$folder/upper" "$folder/work" "$folder/root"
mount -t overlay overlay -o "lowerdir=$lower,upperdir=$folder/upper,workdir=$folder/work" "$folder/root"
cd "$folder/root"
while [ "$1" != -- ]; do
  mkdir -p ".${1#*:}"
  mount --bind "${1%%:*}" ".${1#*:}"
  shift
done
shift
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
# what is mounted later by programs inside is seen by what these start
exec chroot . sh -c 'mount --make-rshared / && exec "$@"' - env -i container=chroot \
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
