import type { z } from 'zod';
import { ALGORITHMS } from '../../authentication/settings.js';
import { OPERATION_LIMITS } from '../../runtime/operationLimits.js';
import { HTTP_LIMITS } from '../../server/http/httpServer.js';
import { standardDataDirectory } from './dataDirectory.js';
import { LOG_FORMATS, LOG_LEVELS } from '../../telemetry/log.js';
import {
  databaseUrl,
  host,
  httpUrl,
  listOf,
  listOfHosts,
  listOfNetworks,
  listOfOrigins,
  name,
  oneOf,
  path,
  seconds,
  secondsOrNone,
  secureUrl,
  trueOrFalse,
  whole,
} from './types.js';

export interface Definition<Type extends z.ZodType = z.ZodType> {
  readonly type: Type;
  /** Null if the setting has no default. */
  readonly standard: z.output<Type> | null;
  /** The meaning, the unit and, if `standard` is null, the behaviour without a value. */
  readonly about: string;
  /** The environment variable, where it is not made of the name. */
  readonly variable?: string;
  /** The flag, where it is not made of the name. */
  readonly flag?: string;
  readonly isSecret?: boolean;
}

const define = <Type extends z.ZodType, Standard extends z.output<Type> | null>(
  type: Type,
  standard: Standard,
  about: string,
  more: Pick<Definition, 'variable' | 'flag' | 'isSecret'> = {},
) => ({ type, standard, about, ...more });

const HOUR = 3_600;
const inSeconds = (milliseconds: number): number => milliseconds / 1_000;

/** Every setting, by its name in the file: `http.port` is `port` below `http`. */
export const DEFINITIONS = {
  'database.url': define(
    databaseUrl(),
    null,
    'The database: `mysql://user:password@host:3306/database`, cluster hosts with commas. Default: a private one.',
    { variable: 'DATABASE_URL', isSecret: true },
  ),
  'database.dataDirectory': define(
    path(),
    standardDataDirectory(),
    'The data of the private database. Default: `.data` in a checkout, else `$XDG_STATE_HOME/placement-graphql`.',
    { variable: 'PLACEMENT_DATA_DIRECTORY' },
  ),
  'database.connections': define(
    whole(2, 1_000),
    10,
    'The most connections for reads, and as many again for transactions.',
  ),
  'database.statementSeconds': define(seconds(HOUR), 30, 'How long a statement may take.'),
  'foreignWrites.seconds': define(
    seconds(HOUR),
    null,
    'The delay until candidates show external writes. Default: 2 beside OpenStack Placement, else 30.',
  ),
  'foreignWrites.binaryLog': define(
    trueOrFalse(),
    false,
    "Whether to read the database server's binary log, so that candidates show it at once.",
  ),
  'http.host': define(
    host(),
    '127.0.0.1',
    'The address to listen at, or a name of this machine; `0.0.0.0`: every IPv4 address, `::`: every address.',
    { flag: '--host' },
  ),
  'http.port': define(whole(0, 65_535), 4_000, 'The port; 0: any free one.', {
    variable: 'PORT',
    flag: '--port',
  }),
  'http.allowedHosts': define(
    listOfHosts(),
    [],
    'Host names of the server in requests, besides `localhost`, its own address and the name in `http.host`.',
    { flag: '--allowed-host' },
  ),
  'http.allowedOrigins': define(
    listOfOrigins(),
    [],
    "Origins of web pages that may send requests and read the answers, besides the server's own; `*`: every page.",
    { flag: '--allowed-origin' },
  ),
  'http.trustedProxies': define(
    listOfNetworks(),
    [],
    'Proxies whose X-Forwarded-For names the client, for fair shares without authentication.',
  ),
  'http.compression': define(
    trueOrFalse(),
    true,
    'Whether long answers are compressed for clients that accept it.',
  ),
  'http.dashboard': define(trueOrFalse(), true, 'Whether browsers get the dashboard at /.'),
  'http.longestBody': define(
    whole(1_024, 2 ** 30),
    16_777_216,
    'The longest body of a request, in bytes. From viewers who may not write at most 1 MiB.',
  ),
  'http.connections': define(
    whole(1, 1_000_000),
    HTTP_LIMITS.connections,
    'The most connections of clients. Addresses share them fairly while all are taken.',
  ),
  'http.requestsOfConnection': define(
    whole(1, 10_000),
    HTTP_LIMITS.requestsOfConnection,
    'Requests of one connection that wait for their answers at the same time.',
  ),
  'http.headersSeconds': define(
    seconds(HOUR),
    inSeconds(HTTP_LIMITS.headersTimeout),
    'How long a client may take to send the headers of a request.',
  ),
  'http.requestSeconds': define(
    seconds(HOUR),
    inSeconds(HTTP_LIMITS.requestTimeout),
    'How long a client may take to send the whole of a request.',
  ),
  'http.keepAliveSeconds': define(
    seconds(HOUR),
    inSeconds(HTTP_LIMITS.keepAlive),
    'How long a connection may be idle: longer than load balancers keep theirs.',
  ),
  'http.unreadSeconds': define(
    seconds(HOUR),
    inSeconds(HTTP_LIMITS.unreadTimeout),
    'How long a client may take nothing of its answer before its connection is cut.',
  ),
  'tls.certificate': define(
    path(),
    null,
    'The certificate and its chain (PEM) for HTTPS. The server reloads it when it changes. Default: HTTP.',
  ),
  'tls.key': define(path(), null, 'The file with the key of the certificate (PEM, without a passphrase).'),
  'graphql.graphiql': define(trueOrFalse(), true, 'Whether browsers get GraphiQL at /graphql.'),
  'graphql.introspection': define(trueOrFalse(), true, 'Whether clients may ask for the schema.'),
  'graphql.trustedDocuments': define(
    path(),
    null,
    'The documents that clients may send: a JSON map of texts by id, reloaded when it changes. Default: any.',
  ),
  'workers.count': define(whole(1, 1_000), 1, 'How many processes serve.', { flag: '--workers' }),
  'workers.drainSeconds': define(
    secondsOrNone(HOUR),
    0,
    'How long a stopping process still accepts requests while it is not ready, for load balancers.',
  ),
  'operations.seconds': define(
    seconds(HOUR),
    inSeconds(OPERATION_LIMITS.deadline),
    'How long an operation may take.',
  ),
  'operations.cost': define(
    whole(100, 10_000_000),
    OPERATION_LIMITS.cost,
    'The most that one operation may cost.',
  ),
  'operations.costInAll': define(
    whole(100, 100_000_000),
    OPERATION_LIMITS.costInAll,
    'The most that operations under way may cost together; others wait.',
  ),
  'operations.smallCost': define(
    whole(1, 10_000_000),
    OPERATION_LIMITS.smallCost,
    'An operation that costs no more is small: small ones have room of their own.',
  ),
  'operations.smallCostInAll': define(
    whole(1, 100_000_000),
    OPERATION_LIMITS.smallCostInAll,
    'The most that small operations under way may cost together.',
  ),
  'operations.candidates': define(
    whole(1, 100_000),
    OPERATION_LIMITS.candidates,
    'The maximum number of candidates of a search. 1,000 take some 50 ms and 3 MB; other requests wait meanwhile.',
  ),
  'operations.longestQueue': define(
    whole(0, 100_000),
    OPERATION_LIMITS.longestQueue,
    'How many operations may wait for room; more are OVERLOADED.',
  ),
  'operations.longestWaitSeconds': define(
    seconds(HOUR),
    inSeconds(OPERATION_LIMITS.longestWait),
    'How long an operation may wait for room; what waits longer is OVERLOADED.',
  ),
  'log.level': define(
    oneOf(LOG_LEVELS),
    'info',
    'What is logged: info, a line for each operation too; warn, slow ones and the audit log; error, failures; silent.',
  ),
  'log.format': define(
    oneOf(LOG_FORMATS),
    null,
    'json, an object a line, or text for people. Not set: text on a terminal, otherwise json.',
  ),
  'tokens.file': define(
    path(),
    null,
    'The file of static tokens, which `placement-graphql token` writes. Set: they are taken.',
  ),
  'jwt.issuer': define(
    secureUrl(),
    null,
    'Whose JWTs are taken: the claim `iss`, letter by letter. Set, together with the audience: they are taken.',
  ),
  'jwt.audience': define(name(), null, 'What JWTs must be for: one of the claim `aud`.'),
  'jwt.jwksUrl': define(
    secureUrl(),
    null,
    'Where the public keys of the issuer are (JWKS). Not set: where its OpenID configuration says.',
  ),
  'jwt.keyFile': define(
    path(),
    null,
    'A file with the keys of the issuer (PEM, certificate or JWKS) instead of an address. Reloaded when it changes.',
  ),
  'jwt.algorithms': define(
    listOf(ALGORITHMS),
    ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] as (typeof ALGORITHMS)[number][],
    'The algorithms by which JWTs may be signed.',
  ),
  'jwt.clockSkewSeconds': define(
    whole(0, 300),
    30,
    'By how much the clock of the issuer may differ, in seconds.',
  ),
  'jwt.userClaim': define(name(), 'sub', 'The claim that has the id of the user.'),
  'jwt.rolesClaim': define(
    name(),
    'roles',
    'The claim that has the roles; below others with dots, such as `realm_access.roles`.',
  ),
  'jwt.projectClaim': define(name(), 'project_id', 'The claim that has the id of the project.'),
  'jwt.type': define(
    name(),
    null,
    'The required header `typ` of a JWT, such as `at+jwt`, if the issuer sets it. ID tokens are always rejected.',
  ),
  'jwt.wholeCloud': define(
    trueOrFalse(),
    false,
    'Whether a JWT without the project claim is for the whole cloud. Otherwise it is rejected.',
  ),
  'keystone.url': define(
    httpUrl(),
    null,
    'The address of Keystone, such as https://keystone.example:5000. Set: its tokens are taken.',
  ),
  'keystone.cacheSeconds': define(
    seconds(HOUR),
    60,
    'How long the answer of Keystone is used: a revoked token is seen after it.',
  ),
  'log.slowSeconds': define(
    seconds(HOUR),
    1,
    'An operation that takes longer is logged as slow, with its document and what took how long.',
  ),
  'log.operationsPerSecond': define(
    whole(0, 1_000_000),
    100,
    'The maximum number of fast, successful operations that are logged in a second. All others are always logged.',
  ),
  'metrics.aggregates': define(
    whole(0, 10_000),
    100,
    'Of so many aggregates, those with the most providers, /metrics has capacity and use; 0: of none.',
  ),
} as const satisfies Readonly<Record<string, Definition>>;

export type SettingName = keyof typeof DEFINITIONS;

export type Settings = {
  readonly [Name in SettingName]:
    | z.output<(typeof DEFINITIONS)[Name]['type']>
    | (null extends (typeof DEFINITIONS)[Name]['standard'] ? null : never);
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
