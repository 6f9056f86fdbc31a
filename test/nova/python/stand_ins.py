"""Serves the stand-ins for Keystone (/v3), Glance (/image) and Neutron (/network) on one port, until it is killed."""

import argparse
import dataclasses
import http.server
import json
import urllib.parse

from glance import Glance
from keystone import Keystone
from neutron import Neutron


@dataclasses.dataclass
class Request:
    method: str
    path: str
    headers: object
    body: object


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    services = {}

    def log_message(self, *_):
        pass

    def handle_request(self):
        content = self.rfile.read(int(self.headers['Content-Length'] or 0))
        body = json.loads(content) if self.headers['Content-Type'] == 'application/json' else None
        path = urllib.parse.urlsplit(self.path).path
        first, _, rest = path.strip('/').partition('/')
        service = self.services.get(first)
        if service is None:
            return self.send(404, None)
        return self.send(*service.answer(Request(self.command, f'/{rest}', self.headers, body)))

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = handle_request

    def send(self, status, body, headers=()):
        text = b'' if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        if text:
            self.send_header('Content-Type', 'application/json')
        if status != 204:
            self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(text)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--port', type=int, required=True)
    parser.add_argument('--image', default='3c9d3a7e-59b5-4d0a-8e2f-0c2d4bcb1c51', help='the uuid of the image of servers')
    parser.add_argument('endpoints', nargs='*', help='TYPE=URL: further services of the catalog')
    options = parser.parse_args()
    url = f'http://127.0.0.1:{options.port}'
    endpoints = {'identity': f'{url}/v3', 'image': f'{url}/image', 'network': f'{url}/network'}
    endpoints.update(endpoint.split('=', 1) for endpoint in options.endpoints)
    Handler.services = {'v3': Keystone(f'{url}/v3', endpoints), 'image': Glance(options.image), 'network': Neutron()}
    Server(('127.0.0.1', options.port), Handler).serve_forever()


if __name__ == '__main__':
    main()
