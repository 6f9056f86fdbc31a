import { freePort } from '../support/freePort.js';
import { Daemon } from './daemon.js';
import { PYTHON, scriptPath } from './python.js';

/** The image that the stand-in for Glance has. */
export const IMAGE = '3c9d3a7e-59b5-4d0a-8e2f-0c2d4bcb1c51';

/** The stand-ins for Keystone, Glance and Neutron. */
export class StandIns {
  private constructor(
    readonly url: string,
    private readonly daemon: Daemon,
  ) {}

  /** @param placement the address in the catalog */
  static async start(folder: string, placement: string): Promise<StandIns> {
    const port = await freePort();
    const options = ['--port', String(port), '--image', IMAGE, `placement=${placement}`];
    const daemon = Daemon.start('stand-ins', folder, [PYTHON, scriptPath('stand_ins.py'), ...options]);
    const url = `http://127.0.0.1:${port}`;
    await daemon.until(async () => (await fetch(`${url}/v3/`)).ok);
    return new StandIns(url, daemon);
  }

  stop(): Promise<void> {
    return this.daemon.stop();
  }
}
