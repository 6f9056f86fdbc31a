#!/usr/bin/env bash
# python3-nova 2:26.2.2-1~deb12u5 with libvirt 9.0.0-4+deb12u2 (Debian 12): Nova never sets the standard trait
# HW_CPU_X86_SSE3 on a provider. Its table of traits looks for a feature "sse3", and libvirt knows that feature only as
# "pni" ("sse3" is QEMU's name for it). All the other names of the table are libvirt's. So every host that has SSE4.2 is
# reported with SSE, SSE2, SSSE3 and SSE4.1, and without SSE3, and a flavor that requires the trait finds no host. A
# fleet whose traits were read from libvirt's XML differs from the same fleet as Nova reports it, on every x86 host.
#
# Seen on 2026-11-30: libvirt's features of the CPU model Westmere contain pni; the traits that Nova makes of them are
# AESNI, MMX, SSE, SSE2, SSE41, SSE42 and SSSE3. Of the table's 41 names only "sse3" is unknown to libvirt.
# Needs these packages with these versions: libvirt-clients, libvirt0, python3-nova. Fails if the behaviour changes.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for wanted in libvirt-clients=9.0.0-4+deb12u2 libvirt0=9.0.0-4+deb12u2 python3-nova=2:26.2.2-1~deb12u5; do
  found="$(dpkg-query -W -f '${Version}' "${wanted%%=*}" 2> /dev/null || true)"
  if [ "$found" != "${wanted#*=}" ]; then
    echo "needs $wanted, found ${found:-none}" >&2
    exit 1
  fi
done
# what Nova asks of libvirt for a CPU model: all its features (the test driver needs no hypervisor)
echo '<cpu><arch>x86_64</arch><model>Westmere</model></cpu>' > model.xml
virsh --connect test:///default cpu-baseline model.xml --features > features.xml
cat > check.py <<'PY'
import subprocess
import sys
from xml.etree import ElementTree

from nova.virt.libvirt import utils

features = {feature.get('name') for feature in ElementTree.parse('features.xml').iter('feature')}
traits = sorted(name for name, is_set in utils.cpu_features_to_traits(features).items() if is_set)
print('pni' in features, 'sse3' in features, ' '.join(name.removeprefix('HW_CPU_X86_') for name in traits))


def is_known(feature):
    cpu = "<cpu match='exact'><arch>x86_64</arch><model>Westmere</model><feature policy='require' name='%s'/></cpu>"
    with open('cpu.xml', 'w') as file:
        file.write(cpu % feature)
    command = ['virsh', '--connect', 'test:///default', 'cpu-baseline', 'cpu.xml']
    return subprocess.run(command, capture_output=True).returncode == 0


names = list(utils.CPU_TRAITS_MAPPING)
unknown = [name for name in names if not is_known(name)]
print(f'{len(names)} names, unknown to libvirt: {unknown}')
expected = ['AESNI', 'MMX', 'SSE', 'SSE2', 'SSE41', 'SSE42', 'SSSE3']
same = traits == [f'HW_CPU_X86_{name}' for name in expected]
sys.exit(0 if same and 'pni' in features and unknown == ['sse3'] else 1)
PY
/usr/bin/python3 check.py
