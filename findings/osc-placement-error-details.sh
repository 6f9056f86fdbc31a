#!/usr/bin/env bash
# python3-osc-placement 4.0.0-2 with python3-keystoneauth1 5.0.0-2 (Debian 12; the command line client of OpenStack
# Placement): of an error it shows only the last line of "detail". A server whose explanations have two lines seems to say
# only the second, and one whose explanation ends with a line break seems to give none. An answer that is no JSON, such as
# a proxy's 413 in HTML or an empty 404, is reported as a JSON error, and the status is not shown at all.
# The guideline for errors of OpenStack's APIs sets no such limits. Placement itself does not show it: its framework puts a
# general sentence and a blank line first, and the explanation after them in one line. A server or a gateway that speaks the
# same API without that framework has to keep to one line, too.
#
# Seen on 2026-11-30: "VCPU is in use.\nThree consumers hold it." is shown as "Three consumers hold it. (HTTP 409)".
# Needs these packages with these versions: python3-keystoneauth1, python3-osc-placement. Fails if the behaviour changes.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for wanted in python3-keystoneauth1=5.0.0-2 python3-osc-placement=4.0.0-2; do
  found="$(dpkg-query -W -f '${Version}' "${wanted%%=*}" 2> /dev/null || true)"
  if [ "$found" != "${wanted#*=}" ]; then
    echo "needs $wanted, found ${found:-none}" >&2
    exit 1
  fi
done
cat > check.py <<'PY'
import http.server
import json
import sys
import threading

from keystoneauth1 import noauth, session
from osc_placement.http import SessionClient


def conflict(detail):
    return 409, 'application/json', json.dumps({'errors': [{'status': 409, 'title': 'Conflict', 'detail': detail}]})


# an answer of a server, and what the client reports
cases = [
    (conflict('VCPU is in use.'), 'Conflict: VCPU is in use. (HTTP 409)'),
    (conflict('VCPU is in use.\nThree consumers hold it.'), 'Conflict: Three consumers hold it. (HTTP 409)'),
    (conflict('VCPU is in use.\n'), 'Conflict: Conflict (HTTP 409)'),
    ((413, 'text/html', '<h1>413 Request Entity Too Large</h1>'),
     'JSONDecodeError: Expecting value: line 1 column 1 (char 0)'),
    ((404, 'text/plain', ''), 'JSONDecodeError: Expecting value: line 1 column 1 (char 0)'),
]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status, media_type, body = cases[int(self.path[1:])][0]
        self.send_response(status)
        self.send_header('Content-Type', media_type)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
auth = noauth.NoAuth(endpoint=f'http://127.0.0.1:{server.server_port}')
client = SessionClient(session.Session(auth=auth), {'service_type': 'placement'}, '1.38')
same = True
for number, (answer, expected) in enumerate(cases):
    try:
        found = f'no error: {client.request("GET", f"/{number}").status_code}'
    except Exception as error:
        found = f'{type(error).__name__}: {error}'
    print(f'{answer[0]} {answer[2]!r} -> {found}')
    same = same and found == expected
sys.exit(0 if same else 1)
PY
/usr/bin/python3 check.py
