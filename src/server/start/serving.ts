import { createAuthenticator, type Authenticator } from '../authentication/authenticator.js';
import type { Database } from '../../store/database/database.js';
import { isSharedWithPlacement } from '../../store/migrations/migrator.js';
import type { ProcessSettings } from '../process.js';
import type { Log } from '../../model/observation.js';
import { isLoopback, listenAddress, urlOf } from '../http/address.js';
import { readKeyPair } from '../http/tls.js';
import type { ServerOptions } from '../server.js';
import { TrustedDocuments } from '../graphql/trustedDocuments/trustedDocuments.js';
import { reportTo } from '../telemetry/log.js';
import type { Serving } from '../workers/primary.js';
import type { Lifecycle } from './lifecycle.js';
import type { Settings } from '../settings/definitions.js';
import { processSettings, seenWithin, serverOptions } from './serverSettings.js';

/**
 * Reads the files and resolves the host name of the settings. Opens no connection and no port.
 * @throws Error if a setting or a file is invalid
 */
export async function prepareServing(
  lifecycle: Lifecycle,
  settings: Settings,
  observers: Pick<ProcessSettings, 'metrics' | 'tracing'> & { readonly log: Log },
) {
  const { log } = observers;
  const host = settings['http.host'];
  const address = await listenAddress(host);
  const authenticator = createAuthenticator(settings, reportTo(log));
  lifecycle.defer(() => Promise.resolve(authenticator?.close()));
  requireAuthentication(host, address, authenticator);
  const files = await followedFiles(settings, (line) => log.warn({}, line));
  const options: ServerOptions = { ...serverOptions(settings), ...files, authenticator };
  return {
    address,
    makeServing: async (database: Database): Promise<Serving> => {
      const foreignWrites = {
        binaryLog: settings['foreignWrites.binaryLog'],
        seenWithin: undefined as number | undefined,
      };
      const own = { ...processSettings(settings), ...observers, foreignWrites };
      const { createServer, createProcess } = await servingModules();
      const server = createServer(createProcess(database, own), options);
      let url = '';
      return {
        async open() {
          const bound = await server.open(settings['http.port'], address);
          url = urlOf(host, bound, options.keyPair !== undefined);
        },
        wait: () => server.wait(),
        async begin() {
          foreignWrites.seenWithin = seenWithin(settings, await isSharedWithPlacement(database.pool));
          await server.start();
          return url;
        },
        stop: () => server.close(),
      };
    },
  };
}

/** Loads the modules of a server in a fifth of a second. Call this while the database starts. */
export async function servingModules() {
  const [{ createServer }, { createProcess }] = await Promise.all([
    import('../server.js'),
    import('../process.js'),
  ]);
  return { createServer, createProcess };
}

/** @throws Error if other machines can reach the address and authentication is disabled */
function requireAuthentication(host: string, address: string, authenticator: Authenticator | null): void {
  if (authenticator !== null || isLoopback(address)) return;
  throw new Error(
    `http.host: other machines reach ${host}, and authentication is disabled: set tokens.file, jwt.issuer ` +
      'or keystone.url, or listen at 127.0.0.1',
  );
}

/** Reads the watched files: the key pair and the trusted documents. */
async function followedFiles(
  settings: Settings,
  warn: (line: string) => void,
): Promise<Pick<ServerOptions, 'keyPair' | 'trustedDocuments'>> {
  const [certificate, key] = [settings['tls.certificate'], settings['tls.key']];
  if ((certificate === null) !== (key === null))
    throw new Error(`tls.${certificate === null ? 'certificate' : 'key'} is not set: TLS needs both files`);
  const documents = settings['graphql.trustedDocuments'];
  return {
    ...(certificate !== null && key !== null && { keyPair: await readKeyPair({ certificate, key }, warn) }),
    ...(documents !== null && { trustedDocuments: TrustedDocuments.open(documents) }),
  };
}
