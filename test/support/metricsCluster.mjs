// A cluster of two workers that serve the metrics of both workers, for their test. Prints its
// address.
import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { serveClusterMetrics } from '../../dist/server/telemetry/metrics/clusterMetrics.js';
import { Metrics } from '../../dist/server/telemetry/telemetry.js';

if (cluster.isPrimary) {
  serveClusterMetrics();
  const workers = [cluster.fork(), cluster.fork()];
  const listening = await Promise.all(workers.map((worker) => once(worker, 'listening')));
  const [{ port }] = listening[0];
  console.log(`http://127.0.0.1:${port}/metrics`);
} else {
  const metrics = new Metrics({ version: '1.2.3', aggregates: 0 }).addRuntime();
  metrics.watch({
    snapshot: null,
    streams: 0,
    queues: () => ({ claims: 2 }),
    costs: () => ({}),
    pools: () => ({}),
  });
  for (let times = 0; times < cluster.worker.id; times++) metrics.responseSent(200);
  const server = createServer(async (_request, response) => response.end(await metrics.text()));
  server.listen(0, '127.0.0.1');
}
