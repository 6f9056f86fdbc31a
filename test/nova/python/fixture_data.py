"""Placement's gabbi fixtures, with the helpers that write their data in place of Placement's own: these write by REST.

The fixtures come from a checkout of Placement. Of what they import, only what has no counterpart at an address is
replaced: a fixture then prepares the environment variables as always, and no database.
"""

import importlib.util
import os
import sys
import types
import uuid
from unittest import mock

from oslo_utils.fixture import uuidsentinel

from rest import Refused, quoted

FIXTURES = 'placement/tests/functional/fixtures/gabbits.py'

REPLACED = [
    'oslo_config',
    'oslo_log',
    'oslo_log.fixture',
    'oslo_policy',
    'oslotest',
    'placement',
    'placement.objects',
    'placement.tests',
    'placement.tests.functional',
    'placement.tests.functional.db',
    'placement.tests.functional.fixtures',
    'placement.tests.unit',
]


def load_fixtures(source, placement):
    """Returns the module of the fixtures of a checkout. Each of its fixtures empties the API when it ends."""
    for name in REPLACED:
        sys.modules[name] = mock.MagicMock()
    objects = sys.modules['placement.objects']
    objects.user.User = objects.project.Project = Owner
    objects.resource_class.ResourceClass = resource_class_of(placement)
    sys.modules['placement.tests.functional.db'].test_base = helpers(placement)
    spec = importlib.util.spec_from_file_location('gabbits', os.path.join(source, FIXTURES))
    fixtures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fixtures)
    stop = fixtures.APIFixture.stop_fixture

    def stop_and_empty(fixture):
        stop(fixture)
        placement.empty()

    fixtures.APIFixture.stop_fixture = stop_and_empty
    return fixtures


class Owner:
    """A user or a project: REST names it with the first allocation."""

    def __init__(self, context, external_id):
        self.external_id = external_id

    def create(self):
        pass


class Consumer:
    def __init__(self, user, project, consumer_uuid):
        self.uuid = consumer_uuid or str(uuid.uuid4())
        self.user = user
        self.project = project


def resource_class_of(placement):
    class ResourceClass:
        def __init__(self, context, name):
            self.name = name

        def create(self):
            placement.send('PUT', f'/resource_classes/{quoted(self.name)}')

    return ResourceClass


class Provider:
    def __init__(self, placement, name, provider_uuid, parent):
        self.placement = placement
        self.uuid = provider_uuid
        body = {'name': name, 'uuid': provider_uuid}
        if parent:
            body['parent_provider_uuid'] = parent
        placement.send('POST', '/resource_providers', body)

    def send(self, method, part, body=None):
        return self.placement.send(method, f'/resource_providers/{self.uuid}/{part}', body)

    def write(self, part, **members):
        generation = self.send('GET', part)['resource_provider_generation']
        self.send('PUT', part, {'resource_provider_generation': generation, **members})

    def set_aggregates(self, aggregates):
        self.write('aggregates', aggregates=list(aggregates))


def helpers(placement):
    """The functions of Placement's test_base that the fixtures use."""

    def create_provider(context, name, *aggregates, **options):
        provider_uuid = options.get('uuid') or getattr(uuidsentinel, name)
        provider = Provider(placement, name, provider_uuid, options.get('parent'))
        if aggregates:
            provider.set_aggregates(aggregates)
        return provider

    def add_inventory(provider, resource_class, total, **fields):
        if resource_class.startswith('CUSTOM_'):
            placement.send('PUT', f'/resource_classes/{quoted(resource_class)}')
        inventory = {'max_unit': total, **fields, 'total': total, 'resource_class': resource_class}
        provider.send('POST', 'inventories', inventory)

    def set_traits(provider, *traits):
        for trait in traits:
            if trait.startswith('CUSTOM_'):
                placement.send('PUT', f'/traits/{quoted(trait)}')
        provider.write('traits', traits=list(traits))

    def ensure_consumer(context, user, project, consumer_id=None):
        return Consumer(user, project, consumer_id)

    def set_allocation(context, provider, consumer, resources):
        allocations = {provider.uuid: {'resources': resources}}
        body = {
            'allocations': allocations,
            'project_id': consumer.project.external_id,
            'user_id': consumer.user.external_id,
        }
        placement.send('PUT', f'/allocations/{consumer.uuid}', body, version='1.12')

    def create_user_and_project(context, prefix='fake'):
        return Owner(context, f'{prefix}-user'), Owner(context, f'{prefix}-project')

    module = types.ModuleType('test_base')
    for function in (
        create_provider,
        add_inventory,
        set_traits,
        ensure_consumer,
        set_allocation,
        create_user_and_project,
    ):
        setattr(module, function.__name__, function)
    return module
