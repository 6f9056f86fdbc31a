"""Runs Placement's gabbi files, of a checkout, against a Placement API at an address.

Prints one line for each entry that fails, then the sum.
"""

import argparse
import glob
import os
import re
import sys
import unittest

from gabbi import case, suitemaker, utils
from gabbi.handlers import RESPONSE_HANDLERS, core

from fixture_data import load_fixtures
from keystone import token_text
from rest import Placement
from results import Lines, one_line

GABBITS = 'placement/tests/functional/gabbits'

#: These need a Placement that is configured otherwise: another policy, or CORS.
OTHER_SETTINGS = re.compile(r'-(policy|legacy-rbac)$|^cors$')


class EntryLines(Lines):
    def named(self, test):
        return test.test_data['name'] if test else 'end of the fixture'

    def described(self, test, error):
        """The request, the status, what was expected, and the body."""
        if test is None:
            return super().described(test, error)
        data = test.test_data
        response = getattr(test, 'response', None)
        status = f" -> {response['status']}" if response else ''
        said = super().described(test, error)
        body = one_line(getattr(test, 'output', None) or '')
        return f"{data['method']} {data['url']}{status}; {said[:400]}; body: {body[:300]}"


class Strings(core.StringResponseHandler):
    """Also takes /EXPRESSION/, as newer versions of gabbi do."""

    def action(self, test, expected, value=None):
        if re.fullmatch('/.+/', expected):
            test.assertRegex(test.output, expected[1:-1])
        else:
            super().action(test, expected, value)


HANDLERS = [Strings if handler is core.StringResponseHandler else handler for handler in RESPONSE_HANDLERS]


def send_keystone_tokens():
    """Replaces each token by one of the stand-in for Keystone, with the roles that Placement without Keystone takes."""
    send = case.HTTPTestCase._run_request

    def send_with_token(self, url, method, headers, body, redirect=False):
        fields = {name.lower(): value for name, value in headers.items()}
        if 'x-auth-token' in fields:
            user, _, project = fields.pop('x-auth-token').partition(':')
            roles = fields.pop('x-roles', 'admin,service' if user == 'admin' else '')
            project = fields.pop('x-project-id', project or user)
            if fields.pop('openstack-system-scope', None):
                project = ''
            fields['x-auth-token'] = token_text(user, project, roles.split(',') if roles else [])
        return send(self, url, method, fields, body, redirect)

    case.HTTPTestCase._run_request = send_with_token


def load(directory, name, fixtures, url):
    """The suite of one file."""
    host, port, prefix, _ = utils.host_info_from_target(url)
    content = utils.load_yaml(yaml_file=os.path.join(directory, f'{name}.yaml'))
    objects = [handler() for handler in HANDLERS]
    loader = unittest.TestLoader()
    return suitemaker.test_suite_from_dict(
        loader, name, content, directory, host, port, fixtures, None, prefix=prefix, handlers=objects
    )


def parsed():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--source', default=os.environ.get('PLACEMENT_SOURCE'), help='the checkout of Placement')
    parser.add_argument('--url', required=True, help='where the version document is, such as http://HOST:PORT/placement')
    parser.add_argument('--keystone', action='store_true', help='send tokens of keystone.py, which the server asks')
    parser.add_argument('--empty', action='store_true', help='first delete what is there, which is refused otherwise')
    parser.add_argument('--json', action='store_true', help='print results as lines of JSON')
    parser.add_argument('files', nargs='*', help='names of gabbi files; default: all that need no other settings')
    options = parser.parse_args()
    if not options.source:
        parser.error('PLACEMENT_SOURCE must name a checkout of https://opendev.org/openstack/placement')
    return options


def main():
    options = parsed()
    if options.keystone:
        send_keystone_tokens()
    placement = Placement(options.url)
    if options.empty:
        placement.empty()
    elif placement.providers():
        sys.exit(f'{options.url} has resource providers: the run would delete them; use an empty Placement')
    directory = os.path.join(options.source, GABBITS)
    names = [os.path.splitext(os.path.basename(file))[0] for file in sorted(glob.glob(f'{directory}/*.yaml'))]
    wanted = [name.removesuffix('.yaml') for name in options.files]
    chosen = [name for name in names if (name in wanted if wanted else not OTHER_SETTINGS.search(name))]
    if not chosen:
        sys.exit(f'{directory} has no such gabbi file')
    fixtures = load_fixtures(options.source, placement)
    result = EntryLines(options.json)
    for name in chosen:
        result.group = name
        load(directory, name, fixtures, options.url).run(result)
    sys.exit(result.finish())


if __name__ == '__main__':
    main()
