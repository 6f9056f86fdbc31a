import type * as z from 'zod';
import { ALGORITHMS } from '../authentication/settings.js';
import { IGNORED_TYPES } from '../../store/quotas/definitions.js';
import { OPERATION_LIMITS } from '../../model/operation/admission.js';
import { DEFAULT_REST } from '../../api/rest/settings.js';
import { HTTP_LIMITS } from '../http/httpServer.js';
import { defaultDataDirectory } from './dataDirectory.js';
import { LOG_FORMATS, LOG_LEVELS } from '../telemetry/log.js';
import {
  databaseUrl,
  host,
  httpUrl,
  listOf,
  listOfHosts,
  listOfNetworks,
  listOfOrigins,
  listOfConsumerTypes,
  listOfTraits,
  name,
  oneOf,
  seconds,
  secondsOrNone,
  secureUrl,
  boolean,
  whole,
} from './types.js';

export interface Definition<Type extends z.ZodType = z.ZodType> {
  readonly type: Type;
  /** Null if the setting has no default. */
  readonly defaultValue: z.output<Type> | null;
  /** The meaning, the unit and, if `defaultValue` is null, the behaviour without a value. */
  readonly about: string;
  /** The environment variable, if it is not derived from the name. */
  readonly variable?: string;
  /** The flag, if it is not derived from the name. */
  readonly flag?: string;
  readonly isSecret?: boolean;
}

const define = <Type extends z.ZodType, Default extends z.output<Type> | null>(
  type: Type,
  defaultValue: Default,
  about: string,
  more: Pick<Definition, 'variable' | 'flag' | 'isSecret'> = {},
) => ({ type, defaultValue, about, ...more });

const HOUR = 3_600;

const duration = <Default extends number | null>(defaultValue: Default, about: string) =>
  define(seconds(HOUR), defaultValue, about);

const toggle = (defaultValue: boolean, about: string) => define(boolean(), defaultValue, about);

/** A name or a file without a default. */
const optionalName = (about: string) => define(name(), null, about);

const inSeconds = (milliseconds: number): number => milliseconds / 1_000;

/** All settings by name. In the file, `http.port` is `port` below `http`. */
export const DEFINITIONS = {
  'database.url': define(
    databaseUrl(),
    null,
    'The database: `mysql://user:password@host:3306/database`, cluster hosts with commas. Default: a private one.',
    { variable: 'DATABASE_URL', isSecret: true },
  ),
  'database.dataDirectory': define(
    name(),
    defaultDataDirectory(),
    'The directory of the private database. Default: `.data` in a checkout, else `$XDG_STATE_HOME/placement-graphql`.',
    { variable: 'PLACEMENT_DATA_DIRECTORY' },
  ),
  'database.connections': define(
    whole(2, 1_000),
    10,
    'The maximum number of connections for reads. Transactions have the same number.',
  ),
  'database.statementSeconds': duration(30, 'The maximum duration of a statement.'),
  'foreignWrites.seconds': duration(
    null,
    'The delay until candidates show external writes. Default: 2 beside OpenStack Placement, else 30.',
  ),
  'foreignWrites.binaryLog': toggle(
    false,
    "Whether the server reads the database's binary log, so that candidates show external writes at once.",
  ),
  'http.host': define(
    host(),
    '127.0.0.1',
    'The address or host name to listen on. `0.0.0.0` means all IPv4 addresses, `::` all addresses.',
    { flag: '--host' },
  ),
  'http.port': define(whole(0, 65_535), 4_000, 'The port to listen on. 0 means any free port.', {
    variable: 'PORT',
    flag: '--port',
  }),
  'http.allowedHosts': define(
    listOfHosts(),
    [],
    "Accepted `Host` headers, besides `localhost`, the server's own address and `http.host`.",
    { flag: '--allowed-host' },
  ),
  'http.allowedOrigins': define(
    listOfOrigins(),
    [],
    "Origins of web pages that may send requests and read the answers, besides the server's own. `*` allows all.",
    { flag: '--allowed-origin' },
  ),
  'http.trustedProxies': define(
    listOfNetworks(),
    [],
    'Proxies whose X-Forwarded-For names the client, for fair shares without authentication.',
  ),
  'http.compression': toggle(true, 'Whether the server compresses long answers for clients that accept it.'),
  'http.dashboard': toggle(true, 'Whether the server serves the dashboard at /.'),
  'http.longestBody': define(
    whole(1_024, 2 ** 30),
    16_777_216,
    'The maximum length of a request body in bytes. For viewers with read access only, it is at most 1 MiB.',
  ),
  'http.connections': define(
    whole(1, 1_000_000),
    HTTP_LIMITS.connections,
    'The maximum number of client connections. If all are in use, addresses share them fairly.',
  ),
  'http.requestsOfConnection': define(
    whole(1, 10_000),
    HTTP_LIMITS.requestsOfConnection,
    'The maximum number of requests of one connection that run or wait at the same time.',
  ),
  'http.headersSeconds': duration(
    inSeconds(HTTP_LIMITS.headersTimeout),
    'The maximum time for a client to send the headers of a request.',
  ),
  'http.requestSeconds': duration(
    inSeconds(HTTP_LIMITS.requestTimeout),
    'The maximum time for a client to send a whole request.',
  ),
  'http.keepAliveSeconds': duration(
    inSeconds(HTTP_LIMITS.keepAlive),
    'The maximum idle time of a connection. It should exceed that of load balancers.',
  ),
  'http.unreadSeconds': duration(
    inSeconds(HTTP_LIMITS.unreadTimeout),
    'If a client reads none of its answer for this time, the server closes the connection.',
  ),
  'tls.certificate': optionalName(
    'The certificate chain for HTTPS (PEM). The server reloads the file when it changes. Default: HTTP.',
  ),
  'tls.key': optionalName('The file with the key of the certificate (PEM, without a passphrase).'),
  'graphql.graphiql': toggle(true, 'Whether the server serves GraphiQL to browsers at /graphql.'),
  'graphql.introspection': toggle(true, 'Whether clients may read the schema by introspection.'),
  'graphql.trustedDocuments': optionalName(
    'The allowed documents: a JSON object that maps ids to texts, reloaded when it changes. Default: all are allowed.',
  ),
  'rest.enabled': toggle(true, "Whether the server serves Placement's REST API at /placement."),
  'rest.port': define(
    whole(1, 65_535),
    null,
    'A second port, which serves the REST API at its root; 8778 is usual for Placement. Default: none.',
    { flag: '--rest-port' },
  ),
  'rest.reshapeRoles': define(
    listOf(['service', 'admin']),
    ['service'] as ('service' | 'admin')[],
    'The roles that may use POST /reshaper. OpenStack Placement 8.0.0 has admin.',
  ),
  'rest.candidates': define(
    whole(1, 10_000_000),
    DEFAULT_REST.candidates,
    'The maximum number of candidates of a REST request without `limit`. The log records each answer that is cut.',
  ),
  'rest.randomizeCandidates': toggle(
    DEFAULT_REST.randomizeCandidates,
    'Whether the order of candidates differs from one REST request to the next.',
  ),
  'workers.count': define(whole(1, 1_000), 1, 'The number of server processes.', { flag: '--workers' }),
  'workers.drainSeconds': define(
    secondsOrNone(HOUR),
    0,
    'The time in which a stopping process reports that it is not ready but still accepts requests, for load balancers.',
  ),
  'operations.seconds': duration(
    inSeconds(OPERATION_LIMITS.deadline),
    'The maximum duration of an operation.',
  ),
  'operations.values': define(
    whole(1_000, 100_000_000),
    OPERATION_LIMITS.values,
    'The maximum number of values of an operation after its variables are inserted. 100,000 take up to 0.1 s.',
  ),
  'operations.cost': define(
    whole(100, 10_000_000),
    OPERATION_LIMITS.cost,
    'The maximum cost of one operation.',
  ),
  'operations.costInAll': define(
    whole(100, 100_000_000),
    OPERATION_LIMITS.costInAll,
    'The maximum total cost of running operations. Further operations wait.',
  ),
  'operations.smallCost': define(
    whole(1, 10_000_000),
    OPERATION_LIMITS.smallCost,
    'The maximum cost of a small operation. Small operations have a separate capacity.',
  ),
  'operations.smallCostInAll': define(
    whole(1, 100_000_000),
    OPERATION_LIMITS.smallCostInAll,
    'The maximum total cost of running small operations.',
  ),
  'operations.candidates': define(
    whole(1, 100_000),
    OPERATION_LIMITS.candidates,
    'The maximum number of candidates of a search. 1,000 take about 50 ms and 3 MB; other requests wait meanwhile.',
  ),
  'operations.longestQueue': define(
    whole(0, 100_000),
    OPERATION_LIMITS.longestQueue,
    'The maximum number of waiting operations. Further operations fail with OVERLOADED.',
  ),
  'operations.longestWaitSeconds': duration(
    inSeconds(OPERATION_LIMITS.longestWait),
    'The maximum time an operation waits before it fails with OVERLOADED.',
  ),
  'search.excludedRootTraits': define(
    listOfTraits(),
    [],
    'Searches exclude roots with these traits unless a request includes them. Equal for all servers of a database.',
  ),
  'quotas.ignoredTypes': define(
    listOfConsumerTypes(),
    [...IGNORED_TYPES],
    'The consumer types that quotas do not count. A server that starts with other types counts all usage again.',
  ),
  'log.level': define(
    oneOf(LOG_LEVELS),
    'info',
    '`info` logs all operations, `warn` slow ones and the audit log, `error` failures only, `silent` nothing.',
  ),
  'log.format': define(
    oneOf(LOG_FORMATS),
    null,
    '`json` (one object per line) or `text`. Default: text on a terminal, otherwise JSON.',
  ),
  'tokens.file': optionalName(
    'The file of static tokens that `placement-graphql token` writes. If set, the server accepts these tokens.',
  ),
  'jwt.issuer': define(
    secureUrl(),
    null,
    'The exact `iss` claim of accepted JWTs. If set together with the audience, the server accepts JWTs.',
  ),
  'jwt.audience': optionalName('The required audience: one of the values of the `aud` claim.'),
  'jwt.jwksUrl': define(
    secureUrl(),
    null,
    "The URL of the issuer's public keys (JWKS). Default: the URL in its OpenID configuration.",
  ),
  'jwt.keyFile': optionalName(
    "A file with the issuer's keys (PEM, certificate or JWKS), used instead of a URL. Reloaded when it changes.",
  ),
  'jwt.algorithms': define(
    listOf(ALGORITHMS),
    ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] as (typeof ALGORITHMS)[number][],
    'The accepted signature algorithms.',
  ),
  'jwt.clockSkewSeconds': define(
    whole(0, 300),
    30,
    "The tolerated difference to the issuer's clock, in seconds.",
  ),
  'jwt.userClaim': define(name(), 'sub', "The claim with the user's id."),
  'jwt.rolesClaim': define(
    name(),
    'roles',
    'The claim with the roles. Dots separate nested claims, such as `realm_access.roles`.',
  ),
  'jwt.projectClaim': define(name(), 'project_id', "The claim with the project's id."),
  'jwt.type': optionalName(
    'The required header `typ` of a JWT, such as `at+jwt`, if the issuer sets it. ID tokens are always rejected.',
  ),
  'jwt.wholeCloud': toggle(
    false,
    'Whether a JWT without a project claim has access to the whole cloud. Otherwise it is rejected.',
  ),
  'keystone.url': define(
    httpUrl(),
    null,
    'The URL of Keystone, such as https://keystone.example:5000. If set, the server accepts its tokens.',
  ),
  'keystone.cacheSeconds': duration(
    60,
    'The time for which the server caches an answer of Keystone. A revoked token stays valid until then.',
  ),
  'log.slowSeconds': duration(
    1,
    'An operation that takes longer is logged as slow, with its document and the time of each phase.',
  ),
  'log.operationsPerSecond': define(
    whole(0, 1_000_000),
    100,
    'The maximum number of fast, successful operations logged per second. All others are always logged.',
  ),
  'metrics.aggregates': define(
    whole(0, 10_000),
    100,
    'The number of aggregates, largest first, whose capacity and usage /metrics exports. 0 exports none.',
  ),
} as const satisfies Readonly<Record<string, Definition>>;

export type SettingName = keyof typeof DEFINITIONS;

export type Settings = {
  readonly [Name in SettingName]:
    | z.output<(typeof DEFINITIONS)[Name]['type']>
    | (null extends (typeof DEFINITIONS)[Name]['defaultValue'] ? null : never);
};

export const SETTING_NAMES = Object.keys(DEFINITIONS) as readonly SettingName[];

/** `http.allowedHosts` is PLACEMENT_HTTP_ALLOWED_HOSTS. */
export function variableOf(name: SettingName): string {
  const { variable }: Definition = DEFINITIONS[name];
  return variable ?? `PLACEMENT_${words(name).join('_').toUpperCase()}`;
}

/** `http.longestBody` is --http-longest-body. */
export function flagOf(name: SettingName): string {
  const { flag }: Definition = DEFINITIONS[name];
  return flag ?? `--${words(name).join('-')}`;
}

function words(name: SettingName): string[] {
  return name.split(/\.|(?=[A-Z])/).map((word) => word.toLowerCase());
}
