import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reference } from '../../bench/beside/reference.js';
import { Command } from '../cli/command.js';
import { emptyDatabase } from '../support/database.js';
import { freePorts } from '../support/freePort.js';
import { StandIns } from './standIns.js';

/** A Placement API on an empty database, and the stand-ins for its cloud. */
export interface PlacementServer {
  readonly name: string;
  readonly url: string;
  /** The same at the root of a port, whose links have no prefix. */
  readonly rootUrl: string;
  readonly standIns: StandIns;
  /** Whether its tokens are those of the stand-in for Keystone. The reference takes any. */
  readonly asksKeystone: boolean;
  stop(): Promise<void>;
}

/** This server, which asks the stand-in for Keystone. */
export async function startOurs(): Promise<PlacementServer> {
  const folder = await mkdtemp(join(tmpdir(), 'placement-nova-'));
  const database = await emptyDatabase();
  const [port, rootPort] = await freePorts(2);
  const url = `http://127.0.0.1:${port}/placement`;
  const standIns = await StandIns.start(folder, url);
  const server = new Command(['serve', '--port', String(port)], {
    DATABASE_URL: database.url,
    PLACEMENT_KEYSTONE_URL: standIns.url,
    PLACEMENT_REST_PORT: String(rootPort),
  });
  await server.says('/graphql\n');
  const stop = async (): Promise<void> => {
    server.signal('SIGTERM');
    await server.ended();
    await standIns.stop();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
  const rootUrl = `http://127.0.0.1:${rootPort}`;
  return { name: 'this server', url, rootUrl, standIns, asksKeystone: true, stop };
}

/** With MariaDB's default isolation it accepts claims beyond a capacity, and Nova then fills hosts beyond theirs. */
const ISOLATION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/**
 * OpenStack Placement of Debian's package, without Keystone.
 *
 * @param session SQL that each of its connections runs first
 */
export async function startReference(session = ISOLATION): Promise<PlacementServer> {
  const folder = await mkdtemp(join(tmpdir(), 'placement-nova-'));
  const database = await emptyDatabase();
  const reference = await Reference.start(database.url, session);
  const { url } = reference;
  const standIns = await StandIns.start(folder, url);
  const stop = async (): Promise<void> => {
    await standIns.stop();
    await reference.stop();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
  const name = `OpenStack Placement ${await Reference.version()}`;
  return { name, url, rootUrl: url, standIns, asksKeystone: false, stop };
}
