import { processorMs } from './processor.js';
import { Samples } from './samples.js';
import type { ServerProcess } from './serverProcess.js';

/** The results of slices of time in which clients send requests. */
export class Slices {
  readonly perSecond: number[] = [];
  /** The processor time per request (ms), of all servers and of the database server. */
  readonly servers: number[] = [];
  readonly database: number[] = [];
  readonly times = new Samples();

  /** Measures a slice. `send` returns the time of each request. `pid` is the process id of the database server. */
  async measure(
    servers: readonly ServerProcess[],
    pid: number,
    send: () => Promise<readonly number[]>,
  ): Promise<number> {
    const processor = async (): Promise<[number, number]> => {
      const own = await Promise.all(servers.map((server) => server.processorMs()));
      return [own.reduce((sum, each) => sum + each, 0), await processorMs(pid)];
    };
    const before = await processor();
    const began = performance.now();
    const times = await send();
    const took = performance.now() - began;
    const after = await processor();
    this.perSecond.push((1_000 * times.length) / took);
    this.servers.push((after[0] - before[0]) / times.length);
    this.database.push((after[1] - before[1]) / times.length);
    for (const time of times) this.times.add(time);
    return times.length;
  }
}
