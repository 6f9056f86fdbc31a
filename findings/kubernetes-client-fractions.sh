#!/usr/bin/env bash
# @kubernetes/client-node 1.4.0 (npm; the official client for JavaScript): topNodes() sums what the pods of each node
# request, and rejects with a SyntaxError as soon as one running pod of the cluster requests a fraction with a suffix
# above one, such as "1.5Gi" or "0.5k". Kubernetes accepts these quantities and keeps them as they were written. The same
# fraction without a suffix ("0.5") or with one below ("1500m") is read. A program that adds up a cluster with it works
# until somebody writes 1.5Gi.
#
# Seen on 2026-11-29: "1536Mi": memory in use 1610612736; "1.5Gi": SyntaxError: Cannot convert 1.5 to a BigInt.
# Needs Node 20 or later and npm. Fails if the behaviour changes.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund @kubernetes/client-node@1.4.0 > /dev/null
cat > check.mjs <<'JS'
import { createServer } from 'node:http';
import { CoreV1Api, KubeConfig, topNodes } from '@kubernetes/client-node';

let memory;
const node = {
  metadata: { name: 'n1' },
  status: { allocatable: { cpu: '8', memory: '16Gi' } },
};
const pod = () => ({
  metadata: { name: 'p1', namespace: 'default' },
  spec: { nodeName: 'n1', containers: [{ name: 'c', resources: { requests: { cpu: '0.5', memory } } }] },
  status: { phase: 'Running' },
});
const server = createServer((request, response) => {
  const [kind, items] = request.url.startsWith('/api/v1/nodes') ? ['NodeList', [node]] : ['PodList', [pod()]];
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ apiVersion: 'v1', kind, metadata: {}, items }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const config = new KubeConfig();
config.loadFromClusterAndUser(
  { name: 'c', skipTLSVerify: true, server: `http://127.0.0.1:${server.address().port}` },
  { name: 'u' },
);
const api = config.makeApiClient(CoreV1Api);
const seen = [];
for (memory of ['1536Mi', '1.5Gi']) {
  const result = await topNodes(api).then(
    ([{ Memory }]) => `memory in use ${Memory.RequestTotal}`,
    (error) => `${error.name}: ${error.message}`,
  );
  seen.push(result);
  console.log(`${memory}: ${result}`);
}
server.close();
server.closeAllConnections();
const expected = ['memory in use 1610612736', 'SyntaxError: Cannot convert 1.5 to a BigInt'];
if (JSON.stringify(seen) !== JSON.stringify(expected)) {
  console.error('the behaviour has changed');
  process.exit(1);
}
JS
node check.mjs
