"""Requests to a Placement API at an address, and an empty Placement."""

import json
import urllib.error
import urllib.parse
import urllib.request

VERSION = '1.38'


class Refused(Exception):
    """An answer that is no success."""


class Placement:
    """The API at an address, such as http://127.0.0.1:8778/placement."""

    def __init__(self, url, token='admin'):
        self.url = url.rstrip('/')
        self.token = token

    def send(self, method, path, body=None, version=VERSION):
        """Returns the JSON of the answer; None if it has no body."""
        headers = {'X-Auth-Token': self.token, 'Accept': 'application/json'}
        headers['OpenStack-API-Version'] = f'placement {version}'
        data = None
        if body is not None:
            headers['Content-Type'] = 'application/json'
            data = json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors='replace')[:500]
            raise Refused(f'{method} {path}: {error.code} {text}') from None
        return json.loads(text) if text else None

    def providers(self):
        return self.send('GET', '/resource_providers')['resource_providers']

    def empty(self):
        """Deletes all allocations, providers, custom traits and custom resource classes."""
        providers = self.providers()
        consumers = set()
        for provider in providers:
            path = f"/resource_providers/{provider['uuid']}/allocations"
            consumers.update(self.send('GET', path)['allocations'])
        for consumer in consumers:
            self.send('DELETE', f'/allocations/{consumer}')
        for provider in leaves_first(providers):
            self.send('DELETE', f'/resource_providers/{provider}')
        for trait in self.send('GET', '/traits?name=startswith:CUSTOM_')['traits']:
            self.send('DELETE', f'/traits/{quoted(trait)}')
        for resource_class in self.send('GET', '/resource_classes')['resource_classes']:
            name = resource_class['name']
            if name.startswith('CUSTOM_'):
                self.send('DELETE', f'/resource_classes/{quoted(name)}')


def quoted(name):
    return urllib.parse.quote(name, safe='')


def leaves_first(providers):
    parents = {provider['uuid']: provider['parent_provider_uuid'] for provider in providers}

    def depth(uuid):
        return 0 if uuid is None else 1 + depth(parents[uuid])

    return sorted(parents, key=depth, reverse=True)
