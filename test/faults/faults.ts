import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultySetting } from './faultySetting.js';

/** A fault: how it begins, and how it ends, after some seconds. */
export interface Fault<Setting = FaultySetting> {
  readonly name: string;
  readonly seconds: number;
  begin(setting: Setting): Promise<void> | void;
  end(setting: Setting): Promise<void> | void;
}

/** What a client sends to end a transaction. */
const COMMIT = Buffer.from('COMMIT');

const signalDatabase =
  (signal: NodeJS.Signals) =>
  async (setting: FaultySetting): Promise<void> => {
    for (const pid of await setting.databaseProcesses()) process.kill(pid, signal);
  };

const nothing = (): void => undefined;

export const FAULTS: readonly Fault[] = [
  {
    name: 'all connections cut, again and again',
    seconds: 5,
    async begin({ proxy }) {
      for (let cuts = 0; cuts < 10; cuts++) {
        proxy.cutAll();
        await sleep(400);
      }
    },
    end: nothing,
  },
  {
    name: 'the connections that there are pass nothing any more',
    seconds: 1,
    begin: ({ proxy }) => proxy.silenceAll(),
    end: nothing,
  },
  {
    name: 'network down',
    seconds: 8,
    begin({ proxy }) {
      proxy.isUp = false;
      proxy.cutAll();
    },
    end: ({ proxy }) => void (proxy.isUp = true),
  },
  {
    name: 'answers half a second late',
    seconds: 10,
    begin: ({ proxy }) => void (proxy.delay = 500),
    end: ({ proxy }) => void (proxy.delay = 0),
  },
  {
    name: 'network of 20 kB a second',
    seconds: 10,
    begin: ({ proxy }) => void (proxy.bytesPerSecond = 20_000),
    end: ({ proxy }) => void (proxy.bytesPerSecond = Infinity),
  },
  {
    name: 'answers lost, statements not',
    seconds: 1,
    begin({ proxy }) {
      for (const connection of proxy.connections) connection.swallowAnswers();
    },
    end: nothing,
  },
  {
    name: 'every other connection lost while it commits',
    seconds: 8,
    begin({ proxy }) {
      let commits = 0;
      proxy.onRequest = (data, connection) => {
        // the statement still gets through, its answer does not
        if (data.includes(COMMIT) && commits++ % 2 === 0) setTimeout(() => connection.cut(), commits % 4);
      };
    },
    end: ({ proxy }) => void (proxy.onRequest = null),
  },
  {
    name: 'database halted (SIGSTOP)',
    seconds: 10,
    begin: signalDatabase('SIGSTOP'),
    end: signalDatabase('SIGCONT'),
  },
  {
    name: 'database killed (SIGKILL) and started again',
    seconds: 3,
    begin: signalDatabase('SIGKILL'),
    end: (setting) => setting.restartDatabase(),
  },
  {
    name: 'database shut down and started again',
    seconds: 3,
    begin: (setting) => setting.stopDatabase(),
    end: (setting) => setting.restartDatabase(),
  },
  {
    name: 'database read-only',
    seconds: 8,
    begin: async ({ database }) => void (await database.pool.query('SET GLOBAL read_only = 1')),
    end: async ({ database }) => void (await database.pool.query('SET GLOBAL read_only = 0')),
  },
  {
    name: 'database out of connections',
    seconds: 8,
    async begin(setting) {
      await setting.database.pool.query('SET GLOBAL max_connections = 10');
      setting.proxy.cutAll();
      await setting.occupyConnections();
    },
    async end(setting) {
      setting.freeConnections();
      await setting.database.pool.query('SET GLOBAL max_connections = 151');
    },
  },
  {
    name: 'server killed (SIGKILL) and started again',
    seconds: 1,
    begin: ({ process: { pid } }) => void process.kill(pid, 'SIGKILL'),
    end: (setting) => setting.restartServer(),
  },
];
