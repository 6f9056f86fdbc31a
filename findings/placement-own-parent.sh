#!/usr/bin/env bash
# python3-placement 8.0.0-2 with python3-pymysql 1.0.2-2+deb12u1 on MariaDB 10.11 (Debian 12): a provider becomes its own
# parent if a PUT names its uuid as the parent in upper case. Placement compares the uuids as text, so its check for loops
# passes, and the collation of the database finds the provider itself. The answer is 200. From then on the provider can
# neither be changed (500, as each PUT walks the loop) nor deleted (409, as it has a child). A copy of such a database has
# a tree without a root. The uuid in lower case is refused with 400, as it should be, and a case-sensitive database would
# refuse both.
#
# Seen on 2026-11-30: PUT 400 in lower case, PUT 200 in upper case with itself as the parent, then PUT 500 and DELETE 409.
# Needs these packages with these versions: python3-placement, python3-pymysql; and mariadb-server 10.11. Fails if the
# behaviour changes.
set -euo pipefail
for wanted in python3-placement=8.0.0-2 python3-pymysql=1.0.2-2+deb12u1 mariadb-server=1:10.11.*; do
  found="$(dpkg-query -W -f '${Version}' "${wanted%%=*}" 2> /dev/null || true)"
  # shellcheck disable=SC2053 # the version of the database is a pattern
  if [[ "$found" != ${wanted#*=} ]]; then
    echo "needs $wanted, found ${found:-none}" >&2
    exit 1
  fi
done
folder="$(mktemp -d)"
database=
stop() {
  if [ -n "$database" ]; then kill "$database" && wait "$database"; fi
  rm -rf "$folder"
}
trap stop EXIT
cd "$folder"
own=(--no-defaults "--user=$(id -un)" "--datadir=$folder/data")
mariadb-install-db "${own[@]}" --skip-test-db --auth-root-authentication-method=normal > install.log 2>&1
mariadbd "${own[@]}" --skip-networking --socket="$folder/socket" --pid-file="$folder/pid" > database.log 2>&1 &
database=$!
ask=(--no-defaults --user=root "--socket=$folder/socket")
for _ in $(seq 100); do
  mariadb-admin "${ask[@]}" ping > /dev/null 2>&1 && break
  sleep 0.1
done
mariadb "${ask[@]}" --execute 'CREATE DATABASE placement CHARACTER SET utf8mb3'
cat > placement.conf << CONF
[DEFAULT]
log_file = $folder/placement.log
[api]
auth_strategy = noauth2
[placement_database]
connection = mysql+pymysql://root@localhost/placement?unix_socket=$folder/socket
sync_on_startup = True
CONF
cat > check.py << 'PY'
import io
import json
import os
import sys

os.environ['OS_PLACEMENT_CONFIG_DIR'] = os.getcwd()
sys.argv = ['placement-api']
from placement.wsgi import init_application

application = init_application()


def ask(method, path, body=None):
    data = b'' if body is None else json.dumps(body).encode()
    statuses = []
    request = {
        'REQUEST_METHOD': method, 'SCRIPT_NAME': '', 'PATH_INFO': path, 'QUERY_STRING': '',
        'SERVER_NAME': 'localhost', 'SERVER_PORT': '80', 'SERVER_PROTOCOL': 'HTTP/1.1',
        'wsgi.url_scheme': 'http', 'wsgi.input': io.BytesIO(data), 'wsgi.errors': io.StringIO(),
        'CONTENT_LENGTH': str(len(data)), 'CONTENT_TYPE': 'application/json',
        'HTTP_ACCEPT': 'application/json', 'HTTP_X_AUTH_TOKEN': 'admin',
        'HTTP_OPENSTACK_API_VERSION': 'placement 1.39',
    }
    text = b''.join(application(request, lambda status, headers, error=None: statuses.append(status)))
    return int(statuses[0][:3]), json.loads(text) if text else {}


uuid = 'a0000000-0000-4000-8000-00000000000b'
path = f'/resource_providers/{uuid}'
ask('POST', '/resource_providers', {'name': 'host', 'uuid': uuid})
found = []
for parent in (uuid, uuid.upper(), None):
    status, _ = ask('PUT', path, {'name': 'host', 'parent_provider_uuid': parent})
    stored = ask('GET', path)[1]['parent_provider_uuid']
    print(f'PUT with the parent {parent}: {status}; its parent is now {stored}')
    found.append((status, stored))
status, _ = ask('DELETE', path)
print(f'DELETE: {status}')
sys.exit(0 if found == [(400, None), (200, uuid), (500, uuid)] and status == 409 else 1)
PY
/usr/bin/python3 check.py 2> errors.log
