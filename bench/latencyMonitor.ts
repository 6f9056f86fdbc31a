import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Client } from './client.js';
import { Samples } from './samples.js';

/** The latencies of minimal queries sent one after another. */
export interface MonitoredLatency {
  readonly count: number;
  readonly longest: number;
  readonly p99: number;
}

/**
 * Sends minimal queries on its own connection from its own thread. Otherwise the time that the
 * client takes for a long answer would count as time of the server.
 */
export class LatencyMonitor {
  private constructor(private readonly worker: Worker) {}

  static async start(url: string): Promise<LatencyMonitor> {
    const worker = new Worker(new URL(import.meta.url), { workerData: url });
    await once(worker, 'message');
    return new LatencyMonitor(worker);
  }

  async stop(): Promise<MonitoredLatency> {
    this.worker.postMessage('stop');
    const [result] = (await once(this.worker, 'message')) as [MonitoredLatency];
    await this.worker.terminate();
    return result;
  }
}

async function monitor(url: string): Promise<void> {
  const client = new Client(url);
  const samples = new Samples();
  let isStopped = false;
  let longest = 0;
  parentPort!.once('message', () => (isStopped = true));
  for (let warmUp = 0; warmUp < 50; warmUp++) await client.minimal();
  parentPort!.postMessage('ready');
  while (!isStopped) {
    const ms = await client.minimal();
    samples.add(ms);
    longest = Math.max(longest, ms);
  }
  client.close();
  parentPort!.postMessage({ count: samples.count, longest, p99: samples.p99 } satisfies MonitoredLatency);
}

if (!isMainThread) await monitor(workerData as string);
