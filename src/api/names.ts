import { distance } from 'fastest-levenshtein';
import {
  getNamedType,
  isInputObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLResolveInfo,
} from 'graphql';
import { InvalidInput, type UnknownName } from '../model/input.js';
import { NotFound } from '../model/rejections.js';
import { readResourceClasses, readTraits } from './loaders/catalog.js';
import { readAggregateNames } from './provider/aggregateLists.js';
import type { Operation } from '../model/operation/operation.js';
import { ownProject } from './access/rules.js';
import type { Context } from './context.js';
import { uuidOfNamedCopy } from './copyNames.js';

/** The input types that identify an object by its uuid or its name, with the kind of the object. */
const KINDS = {
  ProviderRef: 'resource provider',
  ParentRef: 'resource provider',
  AggregateRef: 'aggregate',
} as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];

/** The argument of a look-up. Its field resolves the reference: an unknown name returns null. */
const LOOK_UP = 'by';

/** The ledger resolves the references of these, because they may name new providers of the input. */
const IN_TREE = 'ConsumptionInput';

/** Replacing more names than this takes a turn of its own: ten thousand take tens of milliseconds. */
const MANY_NAMES = 1_000;

type Info = Pick<GraphQLResolveInfo, 'parentType' | 'fieldName'>;
type Path = readonly string[];

interface Name {
  readonly kind: Kind;
  readonly name: string;
  readonly path: Path;
}

/**
 * Runs a resolver with uuids in place of the references in its arguments. One read resolves all
 * names of a kind. Arguments without names cause no read.
 *
 * @param onUnknownProvider the code for an unknown name of a provider
 * @throws InvalidInput for the first unknown name, or NotFound as set by `onUnknownProvider`
 */
export function withUuids<Args extends object, Result>(
  args: Args,
  context: Context,
  { parentType, fieldName }: Info,
  run: (args: Args) => Result | Promise<Result>,
  onUnknownProvider: 'INVALID_INPUT' | 'NOT_FOUND' = 'INVALID_INPUT',
): Result | Promise<Result> {
  const plan = planOf(parentType.getFields()[fieldName]);
  if (plan.size === 0) return run(args);
  const names: Name[] = [];
  const uuids = replaced(plan, args, (name) => void names.push(name));
  if (names.length === 0) return run(uuids as Args);
  return uuidsOf(names, args, context).then(async (found) => {
    const unknown = found.indexOf(null);
    if (unknown >= 0) throw await rejection(names[unknown], context, onUnknownProvider);
    if (names.length > MANY_NAMES) await context.operation.pause();
    let at = 0;
    return run(replaced(plan, args, () => found[at++]!) as Args);
  });
}

/**
 * Copies a value with uuids in place of its references. Calls `uuidFor` for their names, always in the same order.
 * Objects that are the same stay the same: references to one variable of a document are copied once.
 */
function replaced(top: NamePlan, args: object, uuidFor: (name: Name) => string | void): unknown {
  const copies = new Map<unknown, unknown>();

  function copyOf(plan: NamePlan | Kind, value: object, path: Path): unknown {
    if (Array.isArray(value))
      return value.map((each: unknown, at) => replacedIn(plan, each, [...path, String(at)]));
    if (typeof plan === 'string') {
      const { uuid, name } = value as { readonly uuid?: string; readonly name?: string };
      if (name === undefined) return uuid ?? value;
      return uuidFor({ kind: plan, name, path: [...path, 'name'] });
    }
    const result = { ...value } as Record<string, unknown>;
    for (const [field, inner] of plan)
      if (field in result) result[field] = replacedIn(inner, result[field], [...path, field]);
    return result;
  }

  function replacedIn(plan: NamePlan | Kind, value: unknown, path: Path): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (!copies.has(value)) copies.set(value, copyOf(plan, value, path));
    return copies.get(value);
  }

  return replacedIn(top, args, []);
}

/** Resolves names. Many of them wait for a turn of their own. */
async function uuidsOf(names: readonly Name[], args: object, context: Context): Promise<(string | null)[]> {
  if (names.length > MANY_NAMES) await context.operation.pause();
  return Promise.all(names.map((name) => uuidOf(name, args, context)));
}

/** The copies of a what-if count as providers, except in the argument that adds them. */
async function uuidOf({ kind, name, path }: Name, args: object, context: Context): Promise<string | null> {
  const { loaders } = context;
  if (kind === 'aggregate') return (await loaders.namedAggregates('name').load(name))?.uuid ?? null;
  const provider = await loaders.providers.byName(name);
  if (provider !== null || path[0] === 'whatIf') return provider?.uuid ?? null;
  return uuidOfNamedCopy(name, args, context);
}

async function rejection(
  { kind, name, path }: Name,
  context: Context,
  onUnknownProvider: 'INVALID_INPUT' | 'NOT_FOUND',
): Promise<InvalidInput | NotFound> {
  const suggest = kind === 'aggregate' ? suggestAggregates : suggestProviders;
  const message = `no ${kind} has the name ${JSON.stringify(name.slice(0, 60))}`;
  const suggestion = await suggest(name, context);
  // the path of a rejection starts within the input of a mutation or the request of a search
  const within = path[0] === 'input' || path[0] === 'request' ? path.slice(1) : path;
  if (kind === 'aggregate' || onUnknownProvider === 'INVALID_INPUT')
    return new InvalidInput(within, message + suggestion);
  const notFound = new NotFound('RESOURCE_PROVIDER', name, message + suggestion);
  notFound.path = within;
  return notFound;
}

/** Maps each argument or input field with references to its kind, or to the plan of its object. */
type NamePlan = ReadonlyMap<string, Kind | NamePlan>;

const plans = new WeakMap<GraphQLField<unknown, unknown>, NamePlan>();

function planOf(field: GraphQLField<unknown, unknown>): NamePlan {
  let plan = plans.get(field);
  if (plan === undefined) {
    const args = field.args.filter(({ name }) => name !== LOOK_UP);
    plans.set(field, (plan = planInputs(args, new Map(), new Map())));
  }
  return plan;
}

/** @param known the plans of input objects, by type: an input object may contain others of its own type */
function planInputs(
  inputs: readonly (GraphQLArgument | GraphQLInputField)[],
  plan: Map<string, Kind | NamePlan>,
  known: Map<string, NamePlan>,
): NamePlan {
  for (const { name, type } of inputs) {
    const named = getNamedType(type);
    if (named.name in KINDS) {
      plan.set(name, KINDS[named.name as keyof typeof KINDS]);
    } else if (isInputObjectType(named) && named.name !== IN_TREE) {
      const begun = known.get(named.name);
      const nested = new Map<string, Kind | NamePlan>();
      if (begun === undefined) {
        known.set(named.name, nested);
        planInputs(Object.values(named.getFields()), nested, known);
      }
      if (begun !== undefined || nested.size > 0) plan.set(name, begun ?? nested);
    }
  }
  return plan;
}

const MAX_SUGGESTIONS = 3;

/** The longest name that any object can have. */
const MAX_LENGTH = 255;

/** Names that differ only in case and prefix are equal. */
const keyOf = (name: string): string => name.toUpperCase().replace(/^CUSTOM_/, '');

/** Returns the names nearest to an unknown name. Omits names that differ in too many letters. */
export function nearest(unknown: string, names: Iterable<string>): string[] {
  const key = keyOf(unknown.slice(0, MAX_LENGTH + 1));
  if (key.length > MAX_LENGTH) return [];
  const most = Math.floor(key.length * 0.4) + 1;
  const near: { readonly name: string; readonly edits: number }[] = [];
  for (const name of names) {
    const other = keyOf(name);
    if (Math.abs(other.length - key.length) > most) continue;
    const edits = distance(key, other);
    if (edits <= most) near.push({ name, edits });
  }
  near.sort((a, b) => a.edits - b.edits);
  return near.slice(0, MAX_SUGGESTIONS).map(({ name }) => name);
}

/** Returns the end of a message: `; did you mean "A", "B" or "C"?`; empty without names. */
export function didYouMean(names: readonly string[]): string {
  const quoted = names.map((name) => JSON.stringify(name));
  const last = quoted.pop();
  if (last === undefined) return '';
  return `; did you mean ${quoted.length > 0 ? `${quoted.join(', ')} or ` : ''}${last}?`;
}

const CATALOG_KINDS = { TRAIT: 'trait', RESOURCE_CLASS: 'resource class' } as const;

function unknownIn(error: unknown): UnknownName | null {
  if (error instanceof InvalidInput) return error.unknown;
  if (!(error instanceof NotFound) || !(error.entity in CATALOG_KINDS)) return null;
  return { kind: CATALOG_KINDS[error.entity as keyof typeof CATALOG_KINDS], name: error.key };
}

/**
 * Adds suggestions to the message of a rejection of an unknown trait or resource class. Changes no
 * other error. Readers of a project receive no suggestions, because they may not read the catalog.
 */
export async function suggestNames(error: unknown, { database, viewer }: Context): Promise<void> {
  const unknown = unknownIn(error);
  if (unknown === null || ownProject(viewer) !== null) return;
  const known = unknown.kind === 'trait' ? readTraits(database, {}) : readResourceClasses(database);
  // without the catalog the rejection has no suggestions
  const names = (await known.catch(() => [])).map(({ name }) => name);
  (error as Error).message += didYouMean(nearest(unknown.name, names));
}

async function suggestAggregates(name: string, { database }: Context): Promise<string> {
  const known = (await readAggregateNames(database)).map((row) => row.name);
  return didYouMean(nearest(name, known));
}

/** The operations that have received suggestions for a provider. Each receives them once. */
const served = new WeakSet<Operation>();

/** Suggests names from the snapshot. Returns '' until a snapshot has been loaded. */
async function suggestProviders(name: string, { snapshots, operation }: Context): Promise<string> {
  if (served.has(operation) || snapshots.fullLoads === 0) return '';
  served.add(operation);
  let near: string[] = [];
  for (const [at, { names }] of (await snapshots.current()).blocks.entries()) {
    if (at % 4 === 3) await operation.pause();
    near = nearest(name, [...near, ...names]);
  }
  return didYouMean(near);
}
