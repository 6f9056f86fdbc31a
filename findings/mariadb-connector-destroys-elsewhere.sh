#!/usr/bin/env bash
# mariadb 3.5.4 (npm; the connector that Prisma's adapter uses): `connection.destroy()` of a connection with a running
# statement opens another connection to the same address and sends `KILL id` there. Behind a proxy that spreads
# connections over several servers, or with a name in front of a cluster, that may be another server. Thread ids are small
# numbers that every server counts for itself, so the KILL ends a connection of some other client, and the statement that
# was meant runs on.
#
# Seen on 2026-11-29 with two servers of MariaDB 10.11.19 behind a proxy that takes them in turn: the statement on the first
# server runs on, and a client of the second server, whose connection has the same id, loses it.
# Needs Node 20 or later, npm, and the programs mariadbd and mariadb-install-db. Fails if the behaviour changes.
set -euo pipefail
folder="$(mktemp -d)"
servers=()
finish() {
  kill "${servers[@]}" 2> /dev/null || true
  wait
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder"
user="$(id -un)"
for name in one two; do
  mariadb-install-db --no-defaults --user="$user" --auth-root-authentication-method=normal --datadir="$folder/$name" \
    > /dev/null 2>&1
  mariadbd --no-defaults --user="$user" --datadir="$folder/$name" --socket="$folder/$name.sock" --skip-networking \
    --pid-file="$folder/$name.pid" 2> "$folder/$name.log" &
  servers+=($!)
done
npm init -y > /dev/null
npm install --silent --no-audit --no-fund mariadb@3.5.4 > /dev/null
cat > check.mjs <<'JS'
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mariadb';

const sockets = ['one.sock', 'two.sock'];

async function direct(socketPath) {
  for (let attempt = 0; ; attempt++)
    try {
      return await createConnection({ socketPath, user: 'root' });
    } catch (error) {
      if (attempt === 100) throw error;
      await sleep(100);
    }
}

// a proxy that takes the servers in turn
let taken = 0;
const proxy = createServer((client) => {
  const server = connect(sockets[taken++ % sockets.length]);
  client.pipe(server).pipe(client);
  for (const each of [client, server]) each.on('error', () => {});
});
await once(proxy.listen(0, '127.0.0.1'), 'listening');

const watchers = [await direct('one.sock'), await direct('two.sock')];
const ours = await createConnection({ host: '127.0.0.1', port: proxy.address().port, user: 'root' });
// a client of the second server, connected until it has the id of our connection to the first
let other = await direct('two.sock');
while (other.threadId < ours.threadId) other = await direct('two.sock');
if (other.threadId !== ours.threadId) throw new Error(`ids ${ours.threadId} and ${other.threadId}: run again`);
other.on('error', () => {});

ours.query('SELECT SLEEP(60)').catch(() => {});
await sleep(500);
ours.destroy();
await sleep(2_000);

const runsOn = (await watchers[0].query('SHOW PROCESSLIST')).some(({ Info }) => Info === 'SELECT SLEEP(60)');
const isLost = await other.query('SELECT 1').then(
  () => false,
  () => true,
);
console.log(`the statement runs on: ${runsOn}; another client has lost its connection: ${isLost}`);
process.exit(runsOn && isLost ? 0 : 1);
JS
node check.mjs
