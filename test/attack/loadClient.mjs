// Sends one body on several connections as fast as it can, for a time, from one address. The message of its parent process has the
// options; its answer has the median and the 99th percentile of the times (ms), and the number of answers by status.
import { Buffer } from 'node:buffer';
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';

process.once('message', async ({ url, body, connections, localAddress, headers = {}, ms, pause = 0 }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress });
  const [times, statuses] = [[], {}];
  const end = performance.now() + ms;
  const send = () =>
    new Promise((resolve, reject) => {
      const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request(url, { method: 'POST', agent, headers: { ...length, ...headers } }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sent.on('error', reject).end(body);
    });
  const client = async () => {
    while (performance.now() < end) {
      const began = performance.now();
      const status = await send();
      times.push(performance.now() - began);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  times.sort((a, b) => a - b);
  const quantile = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))];
  process.send({ median: quantile(0.5), p99: quantile(0.99), statuses }, () => process.exit());
});
