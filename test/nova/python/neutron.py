"""A stand-in for Neutron: servers have no network, so that every list is empty."""

LISTS = ('extensions', 'floatingips', 'networks', 'ports', 'security-groups', 'subnets')


class Neutron:
    def answer(self, request):
        name = request.path.strip('/').split('/')[-1].removesuffix('.json')
        return (200, {name.replace('-', '_'): []}) if name in LISTS else (404, {'NeutronError': {'message': name}})
