import { STATUS_CODES } from 'node:http';
import type * as errors from '../../model/rejections.js';
import { codeOf, REJECTIONS, REST_CODES, type ErrorCode, type RestCode } from '../../model/errors.js';
import { InvalidInput } from '../../model/input.js';
import { DomainError, NotFound } from '../../model/rejections.js';
import { entryOf, failureOf } from '../requestErrors.js';

/** Members of an error besides those that each error has. */
type Members = Readonly<Record<string, unknown>>;

/** An error that a client receives. `text` is one line. */
export class RestError extends Error {
  override readonly name = 'RestError';

  constructor(
    readonly status: number,
    text: string,
    readonly code: RestCode = REST_CODES.undefined,
    readonly members: Members = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(text);
  }
}

/** The first sentence of the detail of each status. Its text follows after an empty line. Nova compares that of 409. */
const SENTENCES: Readonly<Record<number, string>> = {
  400: 'The request is malformed or contradicts itself.',
  401: 'The request needs valid credentials.',
  403: 'The credentials do not allow the request.',
  404: 'The resource could not be found.',
  405: 'The resource does not have the method.',
  406: 'The resource has no form that the client accepts.',
  409: 'There was a conflict when trying to complete your request.',
  413: 'The body of the request is too long.',
  415: 'The body of the request has a media type that is not supported.',
  500: 'The server failed.',
  503: 'The server cannot serve the request now.',
};

/** The body of an error. */
export function errorBody(error: RestError, requestId: string): object {
  return { errors: [errorEntry(error, requestId)] };
}

/** The entry of an error in a body. Each error of the API is written here. */
export function errorEntry({ status, message, code, members }: RestError, requestId: string): object {
  const sentence = SENTENCES[status] ?? STATUS_CODES[status];
  // osc-placement shows the text after the last line break
  const detail = `${sentence}\n\n ${message.replaceAll(/\s*[\r\n]+\s*/g, ' ')}`;
  const title = STATUS_CODES[status] ?? '';
  return { status, title, detail, code, request_id: requestId, ...members };
}

/** The parts of a request that its errors depend on. */
interface Subject {
  readonly params: Readonly<Record<string, string>>;
}

type Rejection<Code extends ErrorCode> = Extract<
  InstanceType<(typeof errors)[keyof typeof errors]>,
  { readonly code: Code }
>;

/** The texts of OpenStack Placement for rejections. Of others, the text is the message. */
const TEXTS: { readonly [Code in ErrorCode]?: (error: Rejection<Code>) => string } = {
  NOT_FOUND: ({ entity, key, message }) => {
    if (entity === 'RESOURCE_PROVIDER') return `No resource provider with uuid ${key} found`;
    if (entity === 'RESOURCE_CLASS') return `No such resource class ${key}.`;
    return entity === 'INVENTORY' ? `No inventory of class ${key} found: ${message}` : message;
  },
  DUPLICATE_NAME: ({ providerName }) => `Conflicting resource provider name: ${providerName} already exists.`,
  DUPLICATE_UUID: ({ uuid }) => `Conflicting resource provider uuid: ${uuid} already exists.`,
  ILLEGAL_REPARENT: ({ resourceProviderUuid: uuid, parentUuid, isFixed }) => {
    const change = parentUuid === null ? 'un-parenting a provider' : 're-parenting a provider';
    const what = isFixed ? `${change} is not currently` : 'creating loop in the provider tree is not';
    return `Unable to save resource provider ${uuid}: ${what} allowed.`;
  },
  PROVIDER_GENERATION_CONFLICT: ({ resourceProviderUuid: uuid, currentGeneration, expectedGeneration }) =>
    "resource provider generation conflict: Resource provider's generation already changed. Please update the " +
    `generation and try again. Provider ${uuid}, actual: ${currentGeneration}, given: ${expectedGeneration}`,
  CONSUMER_GENERATION_CONFLICT: ({ consumerUuid, expectedGeneration, currentGeneration }) =>
    `consumer generation conflict - expected ${currentGeneration} but got ${expectedGeneration} for consumer ${consumerUuid}`,
  PROVIDER_HAS_CHILDREN: ({ resourceProviderUuid: uuid, message }) =>
    `Unable to delete parent resource provider ${uuid}: It has child resource providers. (${message})`,
  PROVIDER_IN_USE: ({ resourceProviderUuid: uuid, message }) =>
    `Unable to delete resource provider ${uuid}: Resource provider has allocations. (${message})`,
  INVENTORY_IN_USE: ({ resourceProviderUuid: uuid, resourceClassNames: names }) =>
    `update conflict: Inventory for '${names.join(', ')}' on resource provider '${uuid}' in use.`,
  TRAIT_IN_USE: ({ traitName }) => `The trait ${traitName} is in use by a resource provider.`,
  NO_INVENTORY: ({ resourceProviderUuid: uuid, resourceClassName: name }) =>
    unableToAllocate(`Inventory for '${name}' on resource provider '${uuid}' does not exist.`),
  UNIT_VIOLATION: ({ message }) => unableToAllocate(message),
  CAPACITY_EXCEEDED: ({ message }) =>
    unableToAllocate(`The requested amount would exceed the capacity: ${message}`),
  QUOTA_EXCEEDED: ({ message }) => unableToAllocate(`The requested amount would exceed a quota: ${message}`),
};

export function unableToAllocate(why: string): string {
  return `Unable to allocate inventory: ${why}`;
}

/**
 * Rejects with the errors of `work`. Those for which `translate` returns an error are replaced by it, and those for
 * which it returns a text by 400 with this text.
 */
export async function naming<T>(
  work: Promise<T>,
  translate: (error: unknown) => RestError | string | null,
): Promise<T> {
  return work.catch((error: unknown) => {
    const found = translate(error);
    if (found === null) throw error;
    const replaced = typeof found === 'string' ? new RestError(400, found) : found;
    throw Object.assign(replaced, { cause: error });
  });
}

/** How soon a client should repeat a request that the server could not serve (seconds). */
const RETRY_AFTER = 1;

/** Returns the error that a client receives. Null for an unexpected one, whose details no client gets. */
export function restErrorOf(error: unknown, subject: Subject): RestError | null {
  if (error instanceof RestError) return error;
  if (error instanceof InvalidInput) return new RestError(400, error.message);
  if (error instanceof DomainError) return rejected(error, subject);
  const failure = failureOf(error);
  if (failure === null) return null;
  // Neutron forgets for ever a write that fails with another status than 503
  const { restStatus } = entryOf(failure.code);
  const { message, retryAfter } = failure.error as Error & { readonly retryAfter?: number };
  return restStatus === undefined ? null : unavailable(message, retryAfter, restStatus);
}

export function unavailable(message: string, retryAfter = RETRY_AFTER, status = 503): RestError {
  return new RestError(status, message, undefined, undefined, { 'retry-after': String(retryAfter) });
}

/** The codes of errors that only REST knows, by status. */
const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_INPUT',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'BAD_REQUEST',
  406: 'NOT_ACCEPTABLE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/** Returns the code of an error in logs and metrics: that of the GraphQL API if it has one. */
export function codeInLogs(error: unknown): string {
  const code = codeOf(error) ?? codeOf((error as Error).cause);
  if (code !== null) return code;
  if (error instanceof RestError) return BY_STATUS[error.status] ?? error.code;
  return failureOf(error)?.code ?? 'INTERNAL_SERVER_ERROR';
}

function rejected(error: DomainError, { params }: Subject): RestError | null {
  const { status, restCode } = REJECTIONS[error.code as ErrorCode];
  if (status === null) return null;
  const textOf = TEXTS[error.code as ErrorCode] as ((error: DomainError) => string) | undefined;
  const isOfPath =
    error instanceof NotFound && (error.entity === 'INVENTORY' || Object.values(params).includes(error.key));
  return new RestError(isOfPath ? 404 : status, textOf?.(error) ?? error.message, restCode);
}
