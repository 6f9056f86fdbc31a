"""Runs functional tests of Nova and osc-placement, whose packages ship them, against a Placement API at an address.

Both use the fixture of Placement's package, which starts a Placement within the process. Here it only empties the one
at the address, and names it.
"""

import argparse
import importlib
import os
import sys
import tempfile
import unittest

from rest import Placement
from results import Lines, one_line


def point_fixture_at(url):
    """Replaces the set-up of the fixture of Placement."""
    import fixtures
    from placement.tests.functional.fixtures import placement as placement_fixture

    placement = Placement(url)

    def set_up(fixture):
        fixtures.Fixture.setUp(fixture)
        fixture.endpoint = placement.url
        if fixture.db:
            placement.empty()

    placement_fixture.PlacementFixture.setUp = set_up
    return placement


def give_nova_a_folder(folder):
    """Nova's tests look for a file of its source tree, which Debian has elsewhere, in the folder of Nova's state."""
    settings = os.path.join(folder, 'etc/nova')
    os.makedirs(settings)
    os.symlink('/usr/share/nova-common/api-paste.ini', os.path.join(settings, 'api-paste.ini'))
    os.environ['OS_DEFAULT__STATE_PATH'] = folder


def flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


class TestLines(Lines):
    def described(self, test, error):
        """The last exception, without the logs that the tests attach."""
        last = str(error[1]).split('Traceback (most recent call last):')[-1]
        raised = [line for line in last.splitlines() if line.strip() and not line.startswith((' ', '}'))]
        return one_line(' '.join(raised))[:1000]


def parsed():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--url', required=True, help='such as http://HOST:PORT/placement')
    parser.add_argument('--empty', action='store_true', help='first delete what is there, which is refused otherwise')
    parser.add_argument('--json', action='store_true', help='print results as lines of JSON')
    parser.add_argument('--only', help='a part of the names of the tests to run')
    parser.add_argument('names', nargs='+', help='modules, classes or tests, such as nova.tests.functional.test_report_client')
    return parser.parse_args()


def main():
    options = parsed()
    with tempfile.TemporaryDirectory() as folder:
        give_nova_a_folder(folder)
        # Nova's tests change how Python waits, which must come before the imports of clients
        importlib.import_module('.'.join(options.names[0].split('.')[:3]))
        placement = point_fixture_at(options.url)
        if not options.empty and placement.providers():
            sys.exit(f'{options.url} has resource providers: the run would delete them; use an empty Placement')
        result = TestLines(options.json)
        for name in options.names:
            for test in flat(unittest.defaultTestLoader.loadTestsFromName(name)):
                if not options.only or options.only in test.id():
                    test.run(result)
        placement.empty()
    sys.exit(result.finish())


if __name__ == '__main__':
    main()
