import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { OPERATION_LIMITS } from '../../runtime/operation.js';
import { HTTP_LIMITS } from '../../server/http/httpServer.js';
import { LOG_FORMATS, LOG_LEVELS } from '../../telemetry/log.js';
import { databaseUrl, listOfText, oneOf, path, seconds, trueOrFalse, whole } from './types.js';

export interface Definition<Type extends z.ZodType = z.ZodType> {
  readonly type: Type;
  /** Null: it is not set unless somebody sets it. */
  readonly standard: z.output<Type> | null;
  /** What it means, its unit, and what it is where nobody sets it if `standard` does not say it. */
  readonly about: string;
  /** The environment variable, where it is not made of the name. */
  readonly variable?: string;
  /** The flag, where it is not made of the name. */
  readonly flag?: string;
  /** Whether its value must not be printed. */
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
    'The database, `mysql://user:password@host:3306/database`; several hosts of one cluster with commas between. Not set: a private one is run.',
    { variable: 'DATABASE_URL', isSecret: true },
  ),
  'database.dataDirectory': define(
    path(),
    fileURLToPath(new URL('../../../.data', import.meta.url)),
    'Where the private database keeps its data; `.data` beside the program.',
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
    'Within how many seconds candidates show what other programs write to the database. Not set: 2 on one that OpenStack Placement has used, otherwise 30.',
  ),
  'foreignWrites.binaryLog': define(
    trueOrFalse(),
    false,
    "Whether to read the database server's binary log, so that candidates show it at once.",
  ),
  'http.port': define(whole(0, 65_535), 4_000, 'The port, on 127.0.0.1; 0: any free one.', {
    variable: 'PORT',
    flag: '--port',
  }),
  'http.allowedHosts': define(
    listOfText(),
    [],
    'Host names by which clients may address the server, besides those of this machine.',
    { flag: '--allowed-host' },
  ),
  'http.allowedOrigins': define(
    listOfText(),
    [],
    "Origins of web pages that may send requests, besides the server's own.",
    { flag: '--allowed-origin' },
  ),
  'http.longestBody': define(whole(1_024, 2 ** 30), 16_777_216, 'The longest body of a request, in bytes.'),
  'http.connections': define(
    whole(1, 1_000_000),
    HTTP_LIMITS.connections,
    'The most connections of clients.',
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
  'graphql.graphiql': define(trueOrFalse(), true, 'Whether browsers get GraphiQL at /graphql.'),
  'graphql.introspection': define(trueOrFalse(), true, 'Whether clients may ask for the schema.'),
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
    'What is logged: info, a line for each operation too; warn, slow ones; error, failures; silent.',
  ),
  'log.format': define(
    oneOf(LOG_FORMATS),
    null,
    'json, an object a line, or text for people. Not set: text on a terminal, otherwise json.',
  ),
  'log.slowSeconds': define(
    seconds(HOUR),
    1,
    'An operation that takes longer is logged as slow, with its document and what took how long.',
  ),
  'metrics.aggregates': define(
    whole(0, 10_000),
    100,
    'Of so many aggregates, those with the most providers, /metrics has capacity and use; 0: of none.',
  ),
} as const satisfies Readonly<Record<string, Definition>>;

export type SettingName = keyof typeof DEFINITIONS;

/** The value of every setting. */
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
