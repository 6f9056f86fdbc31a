"""A stand-in for Keystone: it takes every password, and a token says by itself who it is.

The token `USER~PROJECT~ROLE~ROLE` is that of a user with these roles in that project; without a project, of the whole
cloud. The token `admin` has the roles admin and service: a Placement without Keystone knows it, too.
"""

import time

ADMIN = 'admin'
DOMAIN = {'id': 'default', 'name': 'Default'}
LIFETIME = 86_400


def token_text(user, project, roles):
    return '~'.join([user, project, *roles])


class Keystone:
    """@param endpoints: the addresses of services by type, for the catalog"""

    def __init__(self, url, endpoints):
        self.url = url
        self.catalog = [
            {'id': kind, 'type': kind, 'name': kind, 'endpoints': [endpoint(side, address) for side in SIDES]}
            for kind, address in endpoints.items()
        ]

    def answer(self, request):
        if request.path.startswith('/auth/tokens'):
            return self.log_in(request) if request.method == 'POST' else self.validate(request)
        if request.path == '/':
            links = [{'rel': 'self', 'href': f'{self.url}/'}]
            return 200, {'version': {'id': 'v3.14', 'status': 'stable', 'links': links}}
        if request.path.startswith('/projects/'):
            return 200, {'project': {'id': request.path.rpartition('/')[2]}}
        return 404, {'error': {'code': 404}}

    def validate(self, request):
        token = request.headers['X-Subject-Token'] or ''
        body = self.described(token)
        if body is None:
            return 404, {'error': {'code': 404}}
        return 200, body, {'X-Subject-Token': token}

    def log_in(self, request):
        """Every user is the administrator."""
        return 201, self.described(ADMIN), {'X-Subject-Token': ADMIN}

    def described(self, token):
        """The body of an answer about a token; None if it is none."""
        user, *rest = (token_text(ADMIN, ADMIN, ['admin', 'service']) if token == ADMIN else token).split('~')
        if not rest:
            return None
        project, *roles = rest
        scope = {'project': {'id': project, 'name': project, 'domain': DOMAIN}} if project else {'system': {'all': True}}
        return {
            'token': {
                'methods': ['password'],
                'user': {'id': user, 'name': user, 'domain': DOMAIN},
                'roles': [{'id': role, 'name': role} for role in roles],
                'issued_at': stamp(0),
                'expires_at': stamp(LIFETIME),
                'catalog': self.catalog,
                **scope,
            }
        }


SIDES = ('public', 'internal', 'admin')


def endpoint(side, url):
    return {'id': side, 'interface': side, 'region': 'RegionOne', 'region_id': 'RegionOne', 'url': url}


def stamp(seconds):
    return time.strftime('%Y-%m-%dT%H:%M:%S.000000Z', time.gmtime(time.time() + seconds))
