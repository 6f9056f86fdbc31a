import type * as errors from '../../model/rejections.js';
import { STATUS_CODES } from 'node:http';
import { refusal } from '../../store/database/failures.js';
import { DomainError, entryOf, type ErrorCode } from '../../model/errors.js';
import { InvalidInput } from '../../model/input.js';
import { OutcomeUnknown } from '../../store/ledger/transaction.js';
import {
  CostExceeded,
  DatabaseUnavailable,
  MemoryExceeded,
  Overloaded,
  Throttled,
  TimedOut,
} from '../../model/operation/waiting.js';

/** The codes of errors. Clients match on them. */
export const CODES = {
  undefined: 'placement.undefined_code',
  concurrentUpdate: 'placement.concurrent_update',
  inventoryInUse: 'placement.inventory.inuse',
  duplicateName: 'placement.duplicate_name',
  providerInUse: 'placement.resource_provider.inuse',
  providerHasChildren: 'placement.resource_provider.cannot_delete_parent',
  providerNotFound: 'placement.resource_provider.not_found',
  duplicateKey: 'placement.query.duplicate_key',
  badValue: 'placement.query.bad_value',
  missingValue: 'placement.query.missing_value',
} as const;

export type RestCode = (typeof CODES)[keyof typeof CODES];

/** Members of an error besides those that each error has. */
type Members = Readonly<Record<string, unknown>>;

/** An error that a client receives. `text` is one line. */
export class RestError extends Error {
  override readonly name = 'RestError';

  constructor(
    readonly status: number,
    text: string,
    readonly code: RestCode = CODES.undefined,
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

/** The body of an error. Each error of the API is written here. */
export function errorBody({ status, message, code, members }: RestError, requestId: string): object {
  const sentence = SENTENCES[status] ?? STATUS_CODES[status];
  // osc-placement shows the text after the last line break
  const detail = `${sentence}\n\n ${message.replaceAll(/\s*[\r\n]+\s*/g, ' ')}`;
  const title = STATUS_CODES[status] ?? '';
  return { errors: [{ status, title, detail, code, request_id: requestId, ...members }] };
}

/** The parts of a request that its errors depend on. */
interface Subject {
  readonly params: Readonly<Record<string, string>>;
}

/** The answer to a rejection: its status, its text, and its code. */
type Translation = readonly [status: number, text: string, code?: RestCode];

type Rejection<Code extends ErrorCode> = Extract<
  InstanceType<(typeof errors)[keyof typeof errors]>,
  { readonly code: Code }
>;

/** Translates the rejections of the ledger. */
const TRANSLATIONS: {
  readonly [Code in ErrorCode]?: (error: Rejection<Code>, subject: Subject) => Translation;
} = {
  NOT_FOUND: notFound,
  DUPLICATE_NAME: ({ providerName }) => [
    409,
    `Conflicting resource provider name: ${providerName} already exists.`,
    CODES.duplicateName,
  ],
  DUPLICATE_UUID: ({ uuid }) => [
    409,
    `Conflicting resource provider uuid: ${uuid} already exists.`,
    CODES.duplicateName,
  ],
  STANDARD_IS_IMMUTABLE: ({ message }) => [400, message],
  ILLEGAL_REPARENT: ({ resourceProviderUuid: uuid, parentUuid, isFixed }) => {
    const change = parentUuid === null ? 'un-parenting a provider' : 're-parenting a provider';
    const what = isFixed ? `${change} is not currently` : 'creating loop in the provider tree is not';
    return [400, `Unable to save resource provider ${uuid}: ${what} allowed.`];
  },
  PROVIDER_GENERATION_CONFLICT: ({ resourceProviderUuid: uuid, currentGeneration, expectedGeneration }) => [
    409,
    "resource provider generation conflict: Resource provider's generation already changed. Please update the " +
      `generation and try again. Provider ${uuid}, actual: ${currentGeneration}, given: ${expectedGeneration}`,
    CODES.concurrentUpdate,
  ],
  CONSUMER_GENERATION_CONFLICT: ({ consumerUuid, expectedGeneration, currentGeneration }) => [
    409,
    `consumer generation conflict - expected ${currentGeneration} but got ${expectedGeneration} for consumer ${consumerUuid}`,
    CODES.concurrentUpdate,
  ],
  CONCURRENT_UPDATE: ({ message }) => [409, message, CODES.concurrentUpdate],
  PROVIDER_HAS_CHILDREN: ({ resourceProviderUuid: uuid, message }) => [
    409,
    `Unable to delete parent resource provider ${uuid}: It has child resource providers. (${message})`,
    CODES.providerHasChildren,
  ],
  PROVIDER_IN_USE: ({ resourceProviderUuid: uuid, message }) => [
    409,
    `Unable to delete resource provider ${uuid}: Resource provider has allocations. (${message})`,
    CODES.providerInUse,
  ],
  INVENTORY_IN_USE: (error) => [409, `update conflict: ${inUseText(error)}`, CODES.inventoryInUse],
  TRAIT_IN_USE: ({ traitName }) => [409, `The trait ${traitName} is in use by a resource provider.`],
  RESOURCE_CLASS_IN_USE: ({ message }) => [409, message],
  NO_INVENTORY: ({ resourceProviderUuid: uuid, resourceClassName: name }) => [
    409,
    unableToAllocate(`Inventory for '${name}' on resource provider '${uuid}' does not exist.`),
  ],
  UNIT_VIOLATION: ({ message }) => [409, unableToAllocate(message)],
  CAPACITY_EXCEEDED: ({ message }) => [
    409,
    unableToAllocate(`The requested amount would exceed the capacity: ${message}`),
  ],
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

function notFound({ entity, key, message }: errors.NotFound, { params }: Subject): Translation {
  const isOfPath = Object.values(params).includes(key);
  if (entity === 'RESOURCE_PROVIDER')
    return [isOfPath ? 404 : 400, `No resource provider with uuid ${key} found`];
  if (entity === 'RESOURCE_CLASS') return [isOfPath ? 404 : 400, `No such resource class ${key}.`];
  if (entity === 'INVENTORY') return [404, `No inventory of class ${key} found: ${message}`];
  return [isOfPath ? 404 : 400, message];
}

function inUseText({ resourceProviderUuid: uuid, resourceClassNames: names }: errors.InventoryInUse): string {
  return `Inventory for '${names.join(', ')}' on resource provider '${uuid}' in use.`;
}

/** How soon a client should repeat a request that the server could not serve (seconds). */
const RETRY_AFTER = 1;

/** Returns the error that a client receives. Null for an unexpected one, whose details no client gets. */
export function restErrorOf(error: unknown, subject: Subject): RestError | null {
  if (error instanceof RestError) return error;
  if (error instanceof InvalidInput) return new RestError(400, error.message);
  if (error instanceof DomainError) return rejected(error, subject);
  // elsewhere, the cause of OutcomeUnknown (a lost connection) means that nothing was changed
  const cause = error instanceof OutcomeUnknown ? error : (refusal(error) ?? error);
  // Neutron forgets a write that fails with another status than 503 for ever
  if (cause instanceof OutcomeUnknown || !isRefusal(cause)) return null;
  const retryAfter = 'retryAfter' in cause ? cause.retryAfter : RETRY_AFTER;
  return unavailable(cause.message, retryAfter);
}

export function unavailable(message: string, retryAfter = RETRY_AFTER): RestError {
  return new RestError(503, message, undefined, undefined, { 'retry-after': String(retryAfter) });
}

/** The refusals of the server and their codes, subclasses first. */
const REFUSALS = [
  [CostExceeded, 'LIMIT_EXCEEDED'],
  [MemoryExceeded, 'LIMIT_EXCEEDED'],
  [DatabaseUnavailable, 'DATABASE_UNAVAILABLE'],
  [Throttled, 'THROTTLED'],
  [Overloaded, 'OVERLOADED'],
  [TimedOut, 'TIMEOUT'],
] as const;

function isRefusal(error: unknown): error is InstanceType<(typeof REFUSALS)[number][0]> {
  return REFUSALS.some(([type]) => error instanceof type);
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
  const { cause } = error as Error;
  const entry = entryOf(error) ?? entryOf(cause);
  if (entry !== null) return entry.code;
  if (error instanceof OutcomeUnknown) return 'OUTCOME_UNKNOWN';
  if (error instanceof RestError) return BY_STATUS[error.status] ?? error.code;
  const found = refusal(error) ?? error;
  return REFUSALS.find(([type]) => found instanceof type)?.[1] ?? 'INTERNAL_SERVER_ERROR';
}

function rejected(error: DomainError, subject: Subject): RestError | null {
  const translate = TRANSLATIONS[error.code] as
    | ((error: DomainError, subject: Subject) => Translation)
    | undefined;
  if (translate === undefined) return null;
  const [status, text, code] = translate(error, subject);
  return new RestError(status, text, code);
}
