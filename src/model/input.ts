/** Amounts saturate here, so that every capacity and sum is an exact JSON number (decision D2). */
export const LARGEST_AMOUNT = Number.MAX_SAFE_INTEGER;

/** The largest total, reserved, unit or step size of an inventory (rule 12). */
export const LARGEST_INTEGER = 2147483647;

/**
 * Returns the shortest decimal that rounds to the same single-precision number (decision D2): 0.7 for
 * 0.699999988079071.
 */
export function shortestDecimal(single: number): number {
  const wanted = Math.fround(single);
  for (let precision = 1; precision <= 9; precision++) {
    const decimal = Number(wanted.toPrecision(precision));
    if (Math.fround(decimal) === wanted) return decimal;
  }
  return wanted;
}

function decimalOf(ratio: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa, exponent] = shortestDecimal(ratio).toExponential().split('e') as [string, string];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/**
 * Returns floor((total - reserved) * allocationRatio) in exact decimal arithmetic, saturating at 2^53-1
 * (decision D2; rules 20, 21, 24). The ratio is the stored single-precision number or its decimal.
 */
export function capacityOf(total: number, reserved: number, allocationRatio: number): number {
  const amount = total - reserved;
  if (amount <= 0 || allocationRatio <= 0) return 0;
  if (Number.isInteger(allocationRatio) && allocationRatio < 1 << 21) return amount * allocationRatio;
  const { digits, exponent } = decimalOf(allocationRatio);
  const product = BigInt(amount) * digits;
  const capacity = exponent >= 0 ? product * 10n ** BigInt(exponent) : product / 10n ** BigInt(-exponent);
  return capacity > BigInt(LARGEST_AMOUNT) ? LARGEST_AMOUNT : Number(capacity);
}

/**
 * Returns the largest usage that is not over capacity (decision D23): the total of an inventory that is reserved
 * whole, as OpenStack Compute reserves bare-metal nodes in use; else the capacity.
 */
export function allowedUsageOf(total: number, reserved: number, allocationRatio: number): number {
  return reserved === total ? total : capacityOf(total, reserved, allocationRatio);
}

/**
 * Returns whether an amount is between minUnit and maxUnit, and minUnit itself or a multiple of stepSize
 * (decision D1).
 */
export function unitsFit(amount: number, minUnit: number, maxUnit: number, stepSize: number): boolean {
  return amount >= minUnit && amount <= maxUnit && (amount === minUnit || amount % stepSize === 0);
}

/** Returns the free amount, which is negative if the inventory is overused. */
export function freeOf({ capacity, used }: { readonly capacity: number; readonly used: number }): number {
  return capacity - used;
}

/** Returns the sum of two amounts, saturating at 2^53-1 (decision D2). */
export function saturatingSum(one: number, other: number): number {
  return Math.min(one + other, LARGEST_AMOUNT);
}

/** Returns null if the capacity is 0. */
export function utilizationOf({
  capacity,
  used,
}: {
  readonly capacity: number;
  readonly used: number;
}): number | null {
  return capacity === 0 ? null : used / capacity;
}

/** A usual spelling: lower case, with dashes after 8, 12, 16 and 20 digits. */
const USUAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** 32 hexadecimal digits. */
const DIGITS = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** The keys of consumers that OpenStack Placement accepts. Some of them are no UUID. */
const CONSUMER_KEY = /^[0-9a-f-]{36}$/i;

export function isUsualUuid(text: string): boolean {
  return USUAL.test(text);
}

/**
 * Returns the lower-case 8-4-4-4-12 form of a UUID. Accepts the same spellings as OpenStack Placement: in either case,
 * without dashes or with dashes anywhere, in braces, or as a `urn:uuid:` (rules 8-10). Returns undefined for other text.
 */
export function normalizeUuid(text: string): string | undefined {
  if (USUAL.test(text)) return text;
  const digits = text
    .toLowerCase()
    .replaceAll('urn:', '')
    .replaceAll('uuid:', '')
    .replaceAll(/^[{}]+|[{}]+$|-/g, '');
  return DIGITS.exec(digits)?.slice(1).join('-');
}

/** Returns the UUID of a row from its stored text. A stored text that is no UUID stands for itself. */
export function uuidOf(stored: string): string {
  return normalizeUuid(stored) ?? stored;
}

/** Returns whether another program may have stored a consumer under a text that is no UUID. */
export function isConsumerKey(text: string): boolean {
  return CONSUMER_KEY.test(text);
}

const LONGEST_PROVIDER_NAME = 200;
const CUSTOM_NAME = /^CUSTOM_[A-Z0-9_]+$/;
const LONGEST_CUSTOM_NAME = 255;

/** Rejects a provider's name that is empty or longer than 200 characters, on create and on rename (rule 6). */
export function checkProviderName(name: string, path: readonly string[] = ['name']): void {
  checkName(name, path, 'a provider name');
}

/** Applies the same rules to the owner of parts of the fleet. */
export function checkOwnerName(name: string): void {
  checkName(name, ['owner'], 'the name of an owner');
}

/** Applies the same rules to an aggregate. Also rejects a final space, which its column ignores. */
export function checkAggregateName(name: string): void {
  checkName(name, ['name'], 'the name of an aggregate');
  if (name.endsWith(' ')) throw new InvalidInput(['name'], `${JSON.stringify(name)} ends with a space`);
}

/** Rejects a key of consumers of another program that is no UUID: no write creates an object with it. */
export function checkNewUuid(uuid: string, path: readonly string[]): void {
  const isUuid = !isConsumerKey(uuid) || normalizeUuid(uuid) !== undefined;
  ensure(isUuid, path, `${uuid} is no UUID: 32 hexadecimal digits`);
}

function checkName(name: string, path: readonly string[], what: string): void {
  const length = Array.from(name).length;
  if (length === 0) throw new InvalidInput(path, `${what} cannot be empty`);
  checkLength(name, length, LONGEST_PROVIDER_NAME, path, what);
  if (/\p{Cs}/u.test(name))
    throw new InvalidInput(path, `${what} is Unicode text, but this one has half a surrogate pair`);
}

function checkLength(
  name: string,
  length: number,
  most: number,
  path: readonly string[],
  what: string,
): void {
  if (length <= most) return;
  const message = `${what} has at most ${most} characters, but "${name.slice(0, 40)}..." has ${length}`;
  throw new InvalidInput(path, message);
}

export function unstorableName(path: readonly string[], name: string): InvalidInput {
  return new InvalidInput(path, `the name ${JSON.stringify(name)} has characters that its table cannot hold`);
}

/** Returns whether {@link checkCustomName} accepts a name. */
export function isCustomName(name: string): boolean {
  return CUSTOM_NAME.test(name) && name.length <= LONGEST_CUSTOM_NAME;
}

/** Rejects the name of a new trait or resource class that is not CUSTOM_ and then A-Z, 0-9, _ (rules 1, 2, 67, 75). */
export function checkCustomName(name: string, kind: 'trait' | 'resource class'): void {
  checkLength(name, name.length, LONGEST_CUSTOM_NAME, ['name'], `a ${kind} name`);
  if (!CUSTOM_NAME.test(name))
    throw new InvalidInput(['name'], `a new ${kind} is named CUSTOM_ and then A-Z, 0-9 or _, not "${name}"`);
}

const KINDS = {
  consumer: 'consumer',
  resourceProvider: 'resource provider',
  resourceClass: 'resource class',
};

/** Checks the items of a list in order. Rejects the first whose `field` repeats an earlier one (decision D7). */
export function checkEach<Field extends keyof typeof KINDS, Item extends Readonly<Record<Field, string>>>(
  items: readonly Item[],
  field: Field,
  path: readonly string[],
  check: (item: Item, path: readonly string[]) => void,
): void {
  const repeated = firstDuplicate(items.map((item) => item[field]));
  items.forEach((item, index) => {
    const here = [...path, String(index)];
    if (index === repeated)
      throw new InvalidInput([...here, field], `${KINDS[field]} ${item[field]} is given twice`);
    check(item, here);
  });
}

/**
 * Input that is malformed or duplicated or names an unknown object (INVALID_INPUT). `path` names
 * the field of the GraphQL input without the leading `input`. List positions are decimal numbers:
 * `['inventories', '2', 'allocationRatio']`.
 */
export class InvalidInput extends Error {
  constructor(
    readonly path: readonly string[],
    message: string,
    /** The name that the catalog does not have; used for suggestions. */
    readonly unknown: UnknownName | null = null,
  ) {
    super(message);
    this.name = 'InvalidInput';
  }

  within(prefix: readonly string[]): InvalidInput {
    return new InvalidInput([...prefix, ...this.path], this.message, this.unknown);
  }
}

export interface UnknownName {
  readonly kind: 'trait' | 'resource class';
  readonly name: string;
}

/** Longer names are cut in messages. */
const LONGEST_NAME = 255;

/** Returns the error for a trait or resource class that is not in the catalog (decision D12). */
export function unknownName(kind: UnknownName['kind'], name: string, path: readonly string[]): InvalidInput {
  const shown = JSON.stringify(name.slice(0, LONGEST_NAME));
  return new InvalidInput(path, `${kind} ${shown} is unknown`, { kind, name });
}

/** @throws InvalidInput unless the condition holds */
export function ensure(isValid: boolean, path: readonly string[], message: string): void {
  if (!isValid) throw new InvalidInput(path, message);
}

/** Returns the position of the first repeated value; -1 if all differ. */
export function firstDuplicate(values: readonly unknown[]): number {
  const seen = new Set<unknown>();
  return values.findIndex((value) => seen.has(value) || !seen.add(value));
}

/** The allocations of a consumer on one provider: at least one class (rule 93), each once. */
export interface ProviderAllocationInput {
  readonly resourceProvider: string;
  readonly resources: readonly { readonly resourceClass: string; readonly amount: number }[];
}

/** Stands for any stored generation, or none (decision D26). */
export const ANY_GENERATION = 'ANY' as const;

/**
 * The desired state of a consumer with all its allocations. Without any, the consumer ceases to exist (rules 82, 90,
 * 92).
 */
export interface ConsumerAllocationsInput {
  readonly consumer: string;
  /** Null: the consumer must not exist yet (rule 83). ANY_GENERATION: not checked. */
  readonly generation?: number | typeof ANY_GENERATION | null;
  /** Null keeps the stored type; a new consumer is then untyped. */
  readonly type?: string | null;
  readonly projectId: string;
  readonly userId: string;
  /** When the consumer ends by itself. Null: it does not. Undefined keeps the stored time. */
  readonly expiresAt?: Date | null;
  readonly allocations: readonly ProviderAllocationInput[];
  /**
   * Whether amounts of counters in the allocations must be right. Otherwise they are ignored. The write sets them to the
   * sums of what the other allocations consume.
   */
  readonly statesCounters?: boolean;
}

/** Returns the resource classes of the allocations. */
export function classesNamed(inputs: readonly ConsumerAllocationsInput[]): Set<string> {
  return new Set(
    inputs.flatMap(({ allocations }) =>
      allocations.flatMap(({ resources }) => resources.map(({ resourceClass }) => resourceClass)),
    ),
  );
}

/** The syntax of a consumer type (rule 3). */
export const CONSUMER_TYPE = /^[A-Z0-9_]{1,255}$/;
const LONGEST_EXTERNAL_ID = 255;

/**
 * Rejects the first value in input order that rules 3, 11, 14, 90-93 or decisions D7 and D12 forbid
 * regardless of the stored state. `classes` has the ids of the named resource classes that exist.
 */
export function checkConsumers(
  inputs: readonly ConsumerAllocationsInput[],
  path: readonly string[],
  classes: ReadonlyMap<string, number>,
): void {
  checkEach(inputs, 'consumer', path, (input, here) => {
    checkConsumerType(input.type, [...here, 'type']);
    checkExternalId(input.projectId, [...here, 'projectId'], 'project');
    checkExternalId(input.userId, [...here, 'userId'], 'user');
    checkAllocations(input.allocations, [...here, 'allocations', 'providers'], classes);
  });
}

/** Rejects a malformed consumer type. Accepts null and undefined, which name no type. */
export function checkConsumerType(consumerType: string | null | undefined, path: readonly string[]): void {
  if (consumerType == null || CONSUMER_TYPE.test(consumerType)) return;
  throw new InvalidInput(
    path,
    `consumer type ${JSON.stringify(consumerType)} is not 1 to 255 of A-Z, 0-9 and _`,
  );
}

function checkAllocations(
  allocations: readonly ProviderAllocationInput[],
  path: readonly string[],
  classes: ReadonlyMap<string, number>,
): void {
  checkEach(allocations, 'resourceProvider', path, ({ resourceProvider, resources }, here) => {
    const list = [...here, 'resources'];
    if (resources.length === 0)
      throw new InvalidInput(list, `resource provider ${resourceProvider} has no resources`);
    checkEach(resources, 'resourceClass', list, ({ resourceClass, amount }, field) => {
      if (!classes.has(resourceClass))
        throw unknownName('resource class', resourceClass, [...field, 'resourceClass']);
      if (!Number.isSafeInteger(amount) || amount < 1) {
        const message = `the amount of ${resourceClass} is ${amount}: it must be a whole number from 1`;
        throw new InvalidInput([...field, 'amount'], message);
      }
    });
  });
}

/** Rejects the id of a project or user that is empty, longer than 255 characters or ends with a space (rule 11). */
export function checkExternalId(id: string, path: readonly string[], kind: 'project' | 'user'): void {
  const length = Array.from(id).length;
  if (id.endsWith(' ')) {
    const shown = JSON.stringify(length > 60 ? `...${id.slice(-60)}` : id);
    throw new InvalidInput(path, `the ${kind} id ${shown} ends with a space, which a database may ignore`);
  }
  if (length >= 1 && length <= LONGEST_EXTERNAL_ID && !/\p{Cs}/u.test(id)) return;
  throw new InvalidInput(
    path,
    `a ${kind} id is a text of 1 to ${LONGEST_EXTERNAL_ID} characters, this one has ${length}`,
  );
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Array.from('"\\,[{', (each) => each.charCodeAt(0));

/**
 * Returns whether a JSON text has more values than `max`, without parsing it: a small list or object needs many times the
 * memory of its text.
 */
export function hasMoreValues(text: string, max: number): boolean {
  if (text.length <= max) return false;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === BACKSLASH) at++;
    else if ((code === COMMA || code === BRACKET || code === BRACE) && ++values > max) return true;
  }
  return false;
}

/** Returns the position of the quote that ends a string; the length of the text if none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

const LONGEST_OWN_NAME = 255;

/** Checks a name that a client gives to an object of its own. */
export function checkOwnName(name: string, path: readonly string[], what: string): void {
  const length = Array.from(name).length;
  const isValid =
    length >= 1 && length <= LONGEST_OWN_NAME && name.trim() === name && !/\p{Cs}|\p{Cc}/u.test(name);
  const rule = `is a text of 1 to ${LONGEST_OWN_NAME} characters without control characters or spaces at its ends`;
  ensure(isValid, path, `the name of a ${what} ${rule}`);
}
