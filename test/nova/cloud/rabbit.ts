import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePorts } from '../../support/freePort.js';
import { Daemon } from '../daemon.js';

/** Debian's scripts in /usr/sbin start it as another user, in folders of the system. */
const PROGRAMS = '/usr/lib/rabbitmq/lib';

/** The messages between the services of Nova: a private RabbitMQ. */
export class Rabbit {
  private constructor(
    readonly url: string,
    private readonly daemons: readonly Daemon[],
  ) {}

  static async start(parent: string): Promise<Rabbit> {
    const folder = join(parent, 'rabbit');
    await mkdir(folder);
    const [port, names, distribution] = await freePorts(3);
    await writeFile(join(folder, 'rabbitmq.conf'), `listeners.tcp.1 = 127.0.0.1:${port}\n`);
    await writeFile(join(folder, 'plugins'), '[].\n');
    const environment = {
      HOME: folder,
      ERL_EPMD_PORT: String(names),
      ERL_EPMD_ADDRESS: '127.0.0.1',
      RABBITMQ_NODENAME: `placement-${port}@localhost`,
      RABBITMQ_NODE_PORT: String(port),
      RABBITMQ_DIST_PORT: String(distribution),
      RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
      RABBITMQ_LOG_BASE: folder,
      RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
      RABBITMQ_CONF_ENV_FILE: '/dev/null',
      RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
      RABBITMQ_PID_FILE: join(folder, 'pid'),
    };
    const epmd = Daemon.start('epmd', folder, ['epmd'], environment);
    await epmd.until(() => accepts(names));
    const [version] = await readdir(PROGRAMS);
    const program = join(PROGRAMS, version, 'sbin/rabbitmq-server');
    const broker = Daemon.start('rabbit', folder, [program], environment);
    await broker.until(() => accepts(port));
    return new Rabbit(`rabbit://guest:guest@127.0.0.1:${port}/`, [broker, epmd]);
  }

  async stop(): Promise<void> {
    for (const daemon of this.daemons) await daemon.stop();
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
