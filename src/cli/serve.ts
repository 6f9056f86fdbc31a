import { once } from 'node:events';
import { createServer as createSocket, isIP } from 'node:net';
import { createAuthenticator, type Authenticator } from '../authentication/authenticator.js';
import type { Database } from '../database/database.js';
import { isSharedWithPlacement } from '../database/migrator.js';
import { createProcess, type ProcessSettings } from '../process/process.js';
import type { Log } from '../runtime/log.js';
import { operationLimits } from '../runtime/operation.js';
import { isLoopback, listenAddress, urlOf } from '../server/http/address.js';
import { readKeyPair } from '../server/http/tls.js';
import { createServer, type ServerOptions } from '../server/server.js';
import { TrustedDocuments } from '../server/trustedDocuments/trustedDocuments.js';
import { createLog, reportTo } from '../telemetry/log.js';
import { fillWithSample, lockData, openMigrated } from './bootstrap.js';
import { Lifecycle } from './lifecycle.js';
import type { CommonOptions } from './options.js';
import { firstFilledTable } from './sample/sample.js';
import type { Settings } from './settings/definitions.js';
import { settingsAsYaml } from './settings/printSettings.js';
import { readSettings, type Flags } from './settings/settings.js';

export interface ServeOptions extends CommonOptions {
  /** Settings that were given as flags. */
  readonly flags: Flags;
  /** size of the sample cloud that an empty database is filled with */
  readonly hosts: number;
  /** leave an empty database empty */
  readonly empty?: boolean;
  /** print the settings, and do nothing */
  readonly printConfig?: boolean;
}

/** Serves until a signal comes or the private database dies. */
export function serve({ flags, hosts, config, empty, printConfig }: ServeOptions): Promise<void> {
  return Lifecycle.run(async (lifecycle) => {
    const read = readSettings({ flags, file: config });
    if (printConfig) {
      process.stdout.write(settingsAsYaml(read));
      return lifecycle.end(0);
    }
    const { settings } = read;
    const { log, announce } = createLog({ level: settings['log.level'], format: settings['log.format'] });
    lifecycle.speakBy({ say: announce, fail: reportTo(log) });
    const host = settings['http.host'];
    const address = await listenAddress(host);
    const files = await followedFiles(settings, log);
    const authenticator = createAuthenticator(settings, reportTo(log));
    requireAuthentication(host, address, authenticator);
    const port = settings['http.port'];
    const lock = await lockData(lifecycle, settings);
    await assertFree(port, address);
    const database = await openMigrated(lifecycle, settings);
    if (!empty && (await isForSample(database))) await fillWithSample(lifecycle, database, hosts);
    lifecycle.surviveRejections();
    const core = createProcess(database, { ...(await processSettings(settings, database)), log });
    const server = createServer(core, { ...serverOptions(settings), ...files, authenticator });
    lifecycle.defer(() => {
      lock?.setStopping();
      return server.close();
    });
    const url = urlOf(host, await server.listen(port, address), files.keyPair !== undefined);
    lock?.setAddress(url);
    lifecycle.say(`placement-graphql is serving ${url}`);
  });
}

/** Within how many seconds the writes of an OpenStack Placement are seen that has used the database. */
const BESIDE_PLACEMENT_SECONDS = 2;

async function processSettings(settings: Settings, database: Database): Promise<ProcessSettings> {
  const seconds =
    settings['foreignWrites.seconds'] ??
    ((await isSharedWithPlacement(database.pool)) ? BESIDE_PLACEMENT_SECONDS : null);
  return {
    foreignWrites: {
      binaryLog: settings['foreignWrites.binaryLog'],
      ...(seconds !== null && { seenWithin: 1_000 * seconds }),
    },
    limits: {
      ...operationLimits(database.connections),
      deadline: 1_000 * settings['operations.seconds'],
      cost: settings['operations.cost'],
      costInAll: settings['operations.costInAll'],
      smallCost: settings['operations.smallCost'],
      smallCostInAll: settings['operations.smallCostInAll'],
      longestQueue: settings['operations.longestQueue'],
      longestWait: 1_000 * settings['operations.longestWaitSeconds'],
    },
  };
}

/** Reads the files that settings name and that are read again when they change. */
async function followedFiles(
  settings: Settings,
  log: Log,
): Promise<Pick<ServerOptions, 'keyPair' | 'trustedDocuments'>> {
  const [certificate, key] = [settings['tls.certificate'], settings['tls.key']];
  if ((certificate === null) !== (key === null))
    throw new Error(`tls.${certificate === null ? 'certificate' : 'key'} is not set: TLS needs both files`);
  const documents = settings['graphql.trustedDocuments'];
  const warn = (line: string): void => log.warn({}, line);
  return {
    ...(certificate !== null && key !== null && { keyPair: await readKeyPair({ certificate, key }, warn) }),
    ...(documents !== null && { trustedDocuments: await TrustedDocuments.open(documents) }),
  };
}

function serverOptions(settings: Settings): ServerOptions {
  const host = settings['http.host'];
  return {
    allowedHosts: [...settings['http.allowedHosts'], ...(isIP(host) ? [] : [host])],
    allowedOrigins: settings['http.allowedOrigins'],
    longestBody: settings['http.longestBody'],
    hasGraphiql: settings['graphql.graphiql'],
    hasIntrospection: settings['graphql.introspection'],
    hasCompression: settings['http.compression'],
    limits: {
      connections: settings['http.connections'],
      requestsOfConnection: settings['http.requestsOfConnection'],
      headersTimeout: 1_000 * settings['http.headersSeconds'],
      requestTimeout: 1_000 * settings['http.requestSeconds'],
      keepAlive: 1_000 * settings['http.keepAliveSeconds'],
      unreadTimeout: 1_000 * settings['http.unreadSeconds'],
    },
  };
}

/** Where other machines reach the server, it must know who sends a request. */
function requireAuthentication(host: string, address: string, authenticator: Authenticator | null): void {
  if (authenticator !== null || isLoopback(address)) return;
  throw new Error(
    `http.host: ${host} is reached from other machines, and nobody is asked who they are: set tokens.file, jwt.issuer or keystone.url, ` +
      'or listen at 127.0.0.1',
  );
}

/** Whether nothing is in the database, and nobody else is about to fill it. */
async function isForSample({ pool }: Database): Promise<boolean> {
  return !(await isSharedWithPlacement(pool)) && (await firstFilledTable(pool)) === null;
}

const LISTEN_ERRORS: Readonly<Record<string, (port: number, address: string) => string>> = {
  EADDRINUSE: (port) => `port ${port} is in use by another program: choose one with --port`,
  EADDRNOTAVAIL: (_port, address) => `http.host: ${address} is no address of this machine`,
  EACCES: (port) =>
    `port ${port} takes a privilege that this process does not have: choose one from 1024 with --port`,
};

/** Checks before the long work begins, so that an address or a port that cannot be had is reported at once. */
async function assertFree(port: number, address: string): Promise<void> {
  const socket = createSocket().listen(port, address);
  try {
    await once(socket, 'listening');
  } catch (error) {
    const message = LISTEN_ERRORS[(error as NodeJS.ErrnoException).code ?? ''];
    throw message ? new Error(message(port, address), { cause: error }) : error;
  }
  socket.close();
  await once(socket, 'close');
}
