"""Starts services of Nova as forks of one process, which share the memory of its imports.

Reads one line of JSON for each service: its program, the file of its settings and the file of its output. Answers with
the id of the process, which leads a group of its own.
"""

import gc
import importlib
import json
import os
import signal
import sys

PROGRAMS = {
    'nova-api': 'nova.cmd.api',
    'nova-compute': 'nova.cmd.compute',
    'nova-conductor': 'nova.cmd.conductor',
    'nova-scheduler': 'nova.cmd.scheduler',
}

#: What the programs import when they start.
LATER = ['nova.api.openstack.compute.routes', 'nova.compute.manager', 'nova.scheduler.manager', 'nova.virt.fake']


def run(program, settings, output):
    """Becomes the service."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(file, 1)
    os.dup2(file, 2)
    sys.argv = [program, '--config-file', settings]
    sys.exit(importlib.import_module(PROGRAMS[program]).main())


def main():
    for name in [*PROGRAMS.values(), *LATER]:
        importlib.import_module(name)
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        options = json.loads(line)
        pid = os.fork()
        if pid == 0:
            run(**options)
        print(pid, flush=True)


if __name__ == '__main__':
    main()
