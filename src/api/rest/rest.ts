import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';
import type { Viewer } from '../../model/viewer.js';
import { hasMoreValues } from '../../model/input.js';
import type { Report } from '../../model/operation/report.js';
import { untilAborted } from '../../model/operation/waiting.js';
import { recordWrite, scopesOf } from '../access/rules.js';
import type { Context } from '../context.js';
import { headersOf, isText, type RestAnswer, type RestRequest } from './answer.js';
import { requestedVersion, VERSION_HEADER, versionHeader, versionText } from './microversion.js';
import { codeInLogs, errorBody, RestError, restErrorOf } from './restErrors.js';
import { routeOf, routesOf, schemaOf, type Method, type Route } from './routeTable.js';
import { providerOfPath } from './providers.js';
import { checkBody, checkSchema } from './schemaCheck.js';
import type { RestSettings } from './settings.js';

/** A request whose sender is known and whose body was read. */
export interface ReceivedRequest {
  readonly method: string;
  /** The path below the mount, encoded. Empty or `/` for the version document. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly mount: string;
  /** The scheme and host that the client used. */
  readonly origin: string;
  readonly requestId: string;
  readonly context: Context;
  /** Called with the name of the route when it is known, before its work begins. */
  readonly onRoute?: (name: string, isWrite: boolean) => void;
}

/** An answer for the wire. */
export interface SentAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the answer has no body. */
  readonly body: string | AsyncIterable<Uint8Array> | null;
}

const JSON_TYPE = 'application/json';

/** Returns Placement's REST API as a function of requests. */
export function createRest(settings: RestSettings, report: Report) {
  return {
    /** Answers a request. Never rejects. */
    async answer(received: ReceivedRequest): Promise<SentAnswer> {
      const known: Known = { params: {} };
      try {
        known.version = requestedVersion(received.headers);
        const { route, params } = findRoute(received, known.version);
        known.params = params;
        received.onRoute?.(nameOf(route), route.method !== 'GET');
        const { version } = known;
        const query = new URLSearchParams(received.query);
        if (!allows(route, received.context.viewer, query, settings))
          throw new RestError(403, `The roles of the token do not allow ${nameOf(route)}.`);
        const answer = await run({ ...received, version, params, query, settings }, route);
        return sent(answer, { ...received, version });
      } catch (error) {
        const found = restErrorOf(error, known);
        if (found === null && !isEnd(error)) report(error, `answering request ${received.requestId}`);
        const failure = found ?? new RestError(500, 'The log of the server has the details.');
        received.context.operation.activity.codes.push(codeInLogs(error));
        return refused(failure, received, known.version);
      }
    },
  };
}

/** Whether the work was stopped because the client left. */
function isEnd(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** The parts of a request that are known when it fails. */
interface Known {
  version?: number;
  params: Readonly<Record<string, string>>;
}

/** The name of a route in logs, metrics, traces and the audit log. */
function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

/** @throws RestError 400, 404, 405, 406 or 415 for a request that no route takes */
function findRoute(
  { method, path, headers }: ReceivedRequest,
  version: number,
): { readonly route: Route; readonly params: Readonly<Record<string, string>> } {
  const isSent = Number(headers['content-length'] ?? 0) > 0;
  if (isSent && !headers['content-type'])
    throw new RestError(400, 'content-type header required when content-length > 0');
  const found = routesOf(path === '' ? '/' : path);
  if (found === null) throw new RestError(404, `There is no ${path}.`);
  const { routes, params } = found;
  const ofMethod = routes.filter((route) => route.method === (method as Method));
  const route = routeOf(ofMethod, version);
  if (route !== null) {
    checkMediaTypes(route, headers);
    return { route, params };
  }
  const status = ofMethod.length === 0 ? 405 : (ofMethod[0].statusBefore ?? 404);
  if (status === 404)
    throw new RestError(404, `Version ${versionText(version)} has no ${method} of ${path}.`);
  const allow = [...new Set(routes.map((each) => each.method))].join(', ');
  const text = `The method ${method} is not allowed for this resource.`;
  // as Placement, which names no methods if a later version has the method
  throw new RestError(405, text, undefined, undefined, ofMethod.length === 0 ? { allow } : {});
}

function checkMediaTypes(
  { method, hasJson = method === 'GET', body }: Route,
  { accept, 'content-type': type }: IncomingHttpHeaders,
): void {
  const essence = type?.split(';')[0].trim().toLowerCase();
  if (body && essence !== JSON_TYPE)
    throw new RestError(415, `The media type ${type ?? 'None'} is not supported, use ${JSON_TYPE}`);
  if (hasJson && preferred(accept, [JSON_TYPE]) === undefined)
    throw new RestError(406, `Only ${JSON_TYPE} is provided`);
}

type CheckedRequest = Omit<ReceivedRequest, 'query'> & Omit<RestRequest, 'body'>;

/** Parses the body of a request, and checks it and the query by the schemas of the version. */
async function bodyOf(request: CheckedRequest, route: Route): Promise<unknown> {
  const { version, query } = request;
  const querySchema = schemaOf(route.query, version);
  if (querySchema)
    await checkSchema(Object.fromEntries(query), querySchema, 'Invalid query string parameters');
  const bodySchema = schemaOf(route.body, version);
  if (bodySchema === null) return undefined;
  const { operation } = request.context;
  const { values } = operation.limits;
  if (hasMoreValues(request.body, values))
    throw new RestError(413, `The body has more than ${values} values.`);
  try {
    const body = parsed(request.body);
    if (request.body.length > LARGE_BODY) await operation.pause();
    await checkBody(body, bodySchema);
    return body;
  } catch (error) {
    if (route.path.startsWith(OF_PROVIDER)) await providerOfPath(request); // its absence comes first
    throw error;
  }
}

/** The length of a body whose check takes milliseconds more after it was parsed. */
const LARGE_BODY = 65_536;

const OF_PROVIDER = '/resource_providers/{uuid}';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RestError(400, `Malformed JSON: ${(error as Error).message}`);
  }
}

function allows(
  { policy = 'writer' }: Route,
  viewer: Viewer | null,
  query: URLSearchParams,
  { reshapeRoles }: RestSettings,
): boolean {
  if (policy === 'anyone' || viewer === null) return true;
  if (viewer.isOfSystem) return false; // as oslo.policy enforces the scopes of Placement's policies
  const { writer, projectReader } = scopesOf(viewer);
  if (policy === 'reshaper') return reshapeRoles.some((role) => viewer.roles.has(role));
  if (policy === 'writer') return writer;
  return writer || (projectReader && query.get('project_id') === viewer.projectId);
}

/** The length of a body that costs as much as one object (bytes). */
const BYTES_OF_OBJECT = 512;

/** Waits for capacity, checks the schemas and runs the handler. The audit log records writes. */
async function run(received: CheckedRequest, route: Route): Promise<RestAnswer> {
  const { params, context } = received;
  const { operation } = context;
  const isWrite = route.method !== 'GET';
  operation.isWrite = isWrite;
  operation.waitsUntilDeadline = true;
  await operation.admit((route.cost ?? 1) + Math.floor(received.body.length / BYTES_OF_OBJECT));
  const body = await bodyOf(received, route);
  const handle = (): Promise<RestAnswer> =>
    route.handler({ ...received, body } as RestRequest as RestRequest<never>);
  if (!isWrite) return untilAborted(operation.signal, handle());
  return recordWrite(nameOf(route), { ...params, body }, context, handle);
}

function sent(
  answer: RestAnswer,
  request: Pick<ReceivedRequest, 'mount' | 'origin'> & { readonly version: number },
): SentAnswer {
  const { status, body } = answer;
  const headers = headersOf(answer, request);
  if (body === undefined) return { status, headers, body: null };
  const text = isText(body) ? body : JSON.stringify(body);
  return { status, headers: { ...headers, 'content-type': JSON_TYPE }, body: text };
}

/** Returns the answer of an error. `version` is undefined if the request states none that is supported. */
export function refused(
  error: RestError,
  { requestId, headers }: Pick<ReceivedRequest, 'requestId' | 'headers'>,
  version?: number,
): SentAnswer & { readonly body: string } {
  const json = JSON.stringify(errorBody(error, requestId));
  const isPage = wantsPage(headers);
  return {
    status: error.status,
    headers: {
      vary: VERSION_HEADER,
      ...(version !== undefined && { [VERSION_HEADER]: versionHeader(version) }),
      'content-type': isPage ? 'text/html; charset=utf-8' : JSON_TYPE,
      ...error.headers,
    },
    body: isPage ? `<pre>${json.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>` : json,
  };
}

/** Whether a client accepts HTML but not JSON. */
function wantsPage({ accept }: IncomingHttpHeaders): boolean {
  return preferred(accept, [JSON_TYPE, 'text/html']) === 'text/html';
}

/** Returns the type that an Accept header prefers; undefined if it takes none. An empty or absent one takes all. */
function preferred(accept: string | undefined, types: string[]): string | undefined {
  if (!accept || accept === '*/*' || accept === types[0]) return types[0];
  return new Negotiator({ headers: { accept } }).mediaType(types);
}
