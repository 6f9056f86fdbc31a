import { fork } from 'node:child_process';
import { once } from 'node:events';
import { getPriority, loadavg, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFleetDatabase } from '../../bench/fleetDatabase.js';
import { loadDemoData } from '../../src/tools/demo/demo.js';
import { zoneAggregate } from '../../src/tools/demo/fleet.js';
import type { Database } from '../../src/store/database/database.js';
import { testDatabase } from '../support/database.js';
import { COSTLY_QUERY } from '../support/costlyQuery.js';
import { addOddShapes } from '../support/oddShapes.js';
import { ServerProcess } from '../support/serverProcess.js';
import { ask, codesOf } from './requests.js';
import { programEnvironment } from '../support/environment.js';
import { IS_FULL } from '../support/length.js';
import { heldBeyond, serverState } from '../support/serverState.js';

/** The default number of hosts of the attacked fleet: few enough for the test command. */
const FEW = 400;

const hosts = Number(process.env.PLACEMENT_ATTACK_HOSTS || FEW);

/** Whether the attacks run at full strength and alone. In the test command they run beside other tests. */
const isWhole = hosts > FEW;

/** Returns `whole` in a run at full strength, and `share` in the test command. */
export const strength = (whole: number, share: number): number => (isWhole ? whole : share);

/** The directory of the fleet of a run at full strength. */
const DIRECTORY = '.cache/attack-data';
const SEED = 1;

const HEAP_MIB = 1024;

/**
 * The limits of the server under every attack. In the test command other tests delay the answers
 * too, so the wait only detects a server that answers no client during the attack.
 */
const BOUNDS = { waitMs: isWhole ? 250 : 3_000, residentMiB: 1024 };

/**
 * The maximum time of a probe (ms). It needs a new connection, which waits behind those that an
 * attack opens. Beside other tests this takes several seconds, so only a full attack, which runs
 * alone, measures it.
 */
const PROBE_MS = isWhole ? 3_000 : 15_000;

/** The maximum time of a costly query of another client, during or after an attack (ms). */
export const ROOM_MS = isWhole ? 5_000 : 20_000;

/** The time for which the second client continues after an attack (ms). */
const AFTERMATH = 500;

const ATTACK_TIMEOUT = 240_000;

/**
 * Real attackers have their own machines. Here they get only processor time that the server leaves.
 */
const ATTACKER_NICENESS = 19;

/** The second client sends `{ __typename }`, a probe, and this query for candidates of a zone that no attack changes. */
const QUESTION = {
  query: `query ($request: AllocationCandidatesInput!) { allocationCandidates(request: $request, limit: 10) {
    allocationRequests {
      allocations { resourceProvider { uuid } resources { resourceClass { name } amount } }
      mappings { suffix resourceProviders { uuid } }
    }
    complete
  } }`,
  variables: {
    request: {
      seed: 1,
      groups: [
        {
          suffix: '',
          resources: [
            { resourceClass: 'VCPU', amount: 1 },
            { resourceClass: 'MEMORY_MB', amount: 1024 },
            { resourceClass: 'DISK_GB', amount: 1 },
          ],
          memberOf: [[{ uuid: zoneAggregate(0, SEED) }]],
        },
      ],
    },
  },
};

interface Figures {
  readonly asked: number;
  readonly wrong: number;
  readonly longest: number;
  readonly longestProbe: number;
  readonly sum: number;
  readonly peak: number;
  /** The longest delay of the second client's own event loop (ms). */
  readonly own: number;
  readonly firstWrong: string | null;
}

/** The server that is attacked, and the database behind it. */
export interface Attacked {
  readonly url: string;
  readonly pid: number;
  readonly database: Database;
}

/** The environment of the server, and the headers of clients with all rights. */
interface Access {
  readonly environment: Record<string, string>;
  readonly headers: Readonly<Record<string, string>>;
}

const running: { server?: ServerProcess; database?: Database; databaseUrl?: string; access: Access } = {
  access: { environment: {}, headers: {} },
};

async function openFleet(): Promise<Database & { readonly url: string }> {
  if (!isWhole) {
    const database = await testDatabase();
    await loadDemoData(database, { hosts, seed: SEED });
    return database;
  }
  const fleet = await startFleetDatabase({ directory: DIRECTORY, seed: SEED }, hosts);
  const database = fleet.open(4);
  const close = async (): Promise<void> => {
    await database.close();
    await fleet.close();
  };
  return { ...database, url: await fleet.url(), close };
}

/** Starts one server for the attacks of a file, and another one if an attack has killed it. */
export function attackedServer(access: Access): void {
  running.access = access;
  beforeAll(async () => {
    const { url, ...database } = await openFleet();
    await addOddShapes(database);
    Object.assign(running, { database, databaseUrl: url });
  }, 600_000);
  afterAll(async () => {
    await running.server?.stop();
    await running.database?.close();
  });
}

/**
 * Declares an attack. While it runs, a second client must get correct answers soon, and the server
 * must stay within its memory and log no error. Afterwards the server must have released all
 * resources of the attack.
 */
export function attack(name: string, work: (attacked: Attacked) => Promise<void>): void {
  test(
    name,
    async () => {
      const { database, databaseUrl, access } = running;
      const { environment, headers } = access;
      if (!running.server?.isRunning)
        running.server = await ServerProcess.start(databaseUrl!, HEAP_MIB, environment);
      const { server } = running;
      const { url, pid } = server;
      const before = server.complaints.length;
      const held = await serverState(url, headers);
      const client = await SecondClient.start(url, pid, headers);
      const priority = getPriority();
      if (isWhole) setPriority(ATTACKER_NICENESS);
      const failure = await work({ url, pid, database: database! }).then(
        () => null,
        (error: unknown) => error,
      );
      if (isWhole) setPriority(priority); // which only root may: other users run the rest with less time
      await sleep(AFTERMATH);
      const figures = await client.stop();
      tell(name, figures);
      if (!server.isRunning) throw new Error(`the server has ended:\n${server.complaints.slice(-3_000)}`);
      expect(server.complaints.slice(before)).toBe('');
      expect(figures).toMatchObject({ wrong: 0, firstWrong: null });
      expect(figures.longest).toBeLessThan(BOUNDS.waitMs);
      expect(figures.longestProbe).toBeLessThan(PROBE_MS);
      expect(figures.peak).toBeLessThan(BOUNDS.residentMiB);
      if (failure !== null) throw failure as Error;
      expect(await heldBeyond(held, url, headers)).toEqual([]);
      const room = await ask(url, COSTLY_QUERY, {}, { headers });
      expect(codesOf(room)).toEqual([]);
      expect(room.ms).toBeLessThan(ROOM_MS);
    },
    ATTACK_TIMEOUT,
  );
}

/** Declares an attack that a short run omits. */
export const longAttack: typeof attack = (name, work) => {
  if (IS_FULL) attack(name, work);
};

function tell(name: string, { asked, wrong, longest, longestProbe, sum, peak, own }: Figures): void {
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  const mean = `mean ${(sum / asked).toFixed(1)} ms`;
  const waits = `longest wait ${ms(longest)} (${mean}, client itself ${ms(own)}), probe ${ms(longestProbe)}`;
  const load = `load ${loadavg()[0].toFixed(1)}`;
  process.stderr.write(
    `${name}: ${waits}, ${wrong} of ${asked} wrong, peak ${peak.toFixed(0)} MiB, ${load}\n`,
  );
}

/** A client beside the attack, in its own process. */
class SecondClient {
  private constructor(private readonly child: ReturnType<typeof fork>) {}

  static async start(url: string, pid: number, headers: Access['headers']): Promise<SecondClient> {
    const program = fileURLToPath(new URL('secondClient.mjs', import.meta.url));
    const child = fork(program, { execArgv: [], env: programEnvironment() });
    child.send({ url, pid, question: QUESTION, headers });
    const [{ ready }] = (await once(child, 'message')) as [{ ready: string[] }];
    expect(ready[0]).toBe('{"__typename":"Query"}');
    expect(ready[1].match(/"mappings"/g)).toHaveLength(10);
    expect(ready[2]).toBe('"ok"');
    return new SecondClient(child);
  }

  async stop(): Promise<Figures> {
    const report = once(this.child, 'message') as Promise<[{ figures: Figures }]>;
    this.child.send('stop');
    const [{ figures }] = await report;
    return figures;
  }
}
