import {
  getNamedType,
  isInputObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLResolveInfo,
} from 'graphql';
import { InvalidInput } from '../../domain/invalidInput.js';
import { NotFound } from '../../ledger/errors.js';
import type { Context } from '../context.js';
import { suggestAggregates, suggestProviders } from './suggestions.js';

/** The input types that identify an object by its uuid or its name, with the kind of the object. */
const KINDS = {
  ProviderRef: 'resource provider',
  ParentRef: 'resource provider',
  AggregateRef: 'aggregate',
} as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];

/** The argument of a look-up. Its field resolves the reference: an unknown name returns null. */
const LOOK_UP = 'by';

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
  const uuids = replaced(plan, args, [], (kind, name, path) => void names.push({ kind, name, path }));
  if (names.length === 0) return run(uuids as Args);
  return lookUp(names, context).then(async (found) => {
    const unknown = names.find(({ kind, name }) => !found[kind].has(name));
    if (unknown !== undefined) throw await rejection(unknown, context, onUnknownProvider);
    return run(replaced(plan, args, [], (kind, name) => found[kind].get(name)) as Args);
  });
}

/** Copies a value with uuids in place of its references. */
function replaced(
  plan: Plan | Kind,
  value: unknown,
  path: Path,
  uuidOf: (kind: Kind, name: string, path: Path) => string | undefined | void,
): unknown {
  if (value == null) return value;
  if (Array.isArray(value))
    return value.map((each, at) => replaced(plan, each, [...path, String(at)], uuidOf));
  if (typeof plan === 'string') {
    const { uuid, name } = value as { readonly uuid?: string; readonly name?: string };
    if (name === undefined) return uuid ?? value;
    return uuidOf(plan, name, [...path, 'name']);
  }
  const result = { ...value } as Record<string, unknown>;
  for (const [field, inner] of plan)
    if (field in result) result[field] = replaced(inner, result[field], [...path, field], uuidOf);
  return result;
}

type Found = Readonly<Record<Kind, ReadonlyMap<string, string>>>;

async function lookUp(names: readonly Name[], { loaders }: Context): Promise<Found> {
  const found = { 'resource provider': new Map<string, string>(), aggregate: new Map<string, string>() };
  await Promise.all(
    names.map(async ({ kind, name }) => {
      const uuid =
        kind === 'aggregate'
          ? await loaders.aggregatesByName.load(name)
          : (await loaders.providers.byName(name))?.uuid;
      if (uuid != null) found[kind].set(name, uuid);
    }),
  );
  return found;
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
type Plan = ReadonlyMap<string, Kind | Plan>;

const plans = new WeakMap<GraphQLField<unknown, unknown>, Plan>();

function planOf(field: GraphQLField<unknown, unknown>): Plan {
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
  plan: Map<string, Kind | Plan>,
  known: Map<string, Plan>,
): Plan {
  for (const { name, type } of inputs) {
    const named = getNamedType(type);
    if (named.name in KINDS) {
      plan.set(name, KINDS[named.name as keyof typeof KINDS]);
    } else if (isInputObjectType(named)) {
      const begun = known.get(named.name);
      const nested = new Map<string, Kind | Plan>();
      if (begun === undefined) {
        known.set(named.name, nested);
        planInputs(Object.values(named.getFields()), nested, known);
      }
      if (begun !== undefined || nested.size > 0) plan.set(name, begun ?? nested);
    }
  }
  return plan;
}
