"""A stand-in for Glance: images without content."""

import uuid

IMAGE = {
    'status': 'active',
    'container_format': 'bare',
    'disk_format': 'raw',
    'min_disk': 0,
    'min_ram': 0,
    'size': 1,
    'visibility': 'public',
    'protected': False,
    'checksum': None,
    'owner': 'admin',
    'tags': [],
    'created_at': '2026-01-01T00:00:00Z',
    'updated_at': '2026-01-01T00:00:00Z',
}

#: Which members every image has. Clients take others for properties of an image.
MEMBERS = [*IMAGE, 'id', 'name', 'self', 'file', 'schema']
SCHEMA = {
    'name': 'image',
    'properties': {name: {'description': name} for name in MEMBERS},
    'additionalProperties': {'type': 'string'},
}


class Glance:
    """Has one image at first, the one of servers."""

    def __init__(self, first):
        self.images = {}
        self.create({'id': first, 'name': 'servers'})

    def create(self, body):
        image = {**IMAGE, 'id': str(uuid.uuid4()), **body}
        path = f"/v2/images/{image['id']}"
        self.images[image['id']] = {**image, 'self': path, 'file': f'{path}/file', 'schema': '/v2/schemas/image'}
        return self.images[image['id']]

    def answer(self, request):
        parts = request.path.strip('/').split('/')
        if parts == ['']:
            return 300, {'versions': [{'id': 'v2.9', 'status': 'CURRENT', 'links': []}]}
        if parts[:2] == ['v2', 'schemas']:
            return 200, SCHEMA
        if parts == ['v2', 'images']:
            return (201, self.create(request.body)) if request.method == 'POST' else (200, {'images': []})
        image = self.images.get(parts[2])
        if image is None:
            return 404, {'message': 'no such image'}
        if request.method == 'DELETE':
            del self.images[image['id']]
            return 204, None
        return (204, None) if request.method == 'PUT' else (200, image)
