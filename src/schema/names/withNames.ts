import {
  getNamedType,
  isInputObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLResolveInfo,
} from 'graphql';
import { validateAlternatives, validateList } from '../../domain/providerConditions.js';
import { InvalidInput } from '../../domain/invalidInput.js';
import { NotFound } from '../../ledger/errors.js';
import type { Context } from '../context.js';
import { suggestAggregates, suggestProviders } from './suggestions.js';

/** In the extensions of a field that takes uuids: the field that takes names in their place. */
export interface NamedField {
  readonly of: 'resource provider' | 'aggregate';
  readonly nameField: string;
  /** Whether one of the two must be given. */
  readonly isRequired: boolean;
  /** Whether it is a condition of a search: an unknown name is then INVALID_INPUT, otherwise NOT_FOUND. */
  readonly isCondition: boolean;
}

export const NAMED = 'named' as const;

type Info = Pick<GraphQLResolveInfo, 'parentType' | 'fieldName'>;
type Values = Readonly<Record<string, unknown>>;
type Named = InputPlan['named'][number];

/** Names that an input has given in place of uuids. */
interface Given {
  readonly named: Named;
  readonly names: readonly { readonly name: string; readonly path: readonly string[] }[];
}

/**
 * Runs a resolver with uuids where its arguments have names: all of them are looked up at once, before it begins. Arguments without
 * names are given as they are, and cost nothing but a look at the fields that might have some.
 *
 * @throws InvalidInput for both a uuid and a name, or neither where one is required; for unknown names in searches and of aggregates
 * @throws NotFound for other unknown names of providers
 */
export function withNames<Args extends object, Result>(
  args: Args,
  context: Context,
  info: Info,
  run: (args: Args) => Result | Promise<Result>,
): Result | Promise<Result> {
  const plan = planOf(info.parentType.getFields()[info.fieldName]);
  const given: Given[] = [];
  collect(plan, args as Values, [], given);
  if (given.length === 0) return run(args);
  return lookUp(given, context, info).then(async (uuids) =>
    run(replaced(plan, args as Values, uuids) as Args),
  );
}

function collect(plan: InputPlan, values: Values, path: readonly string[], given: Given[]): void {
  for (const named of plan.named) collectField(named, values, path, given);
  for (const [field, nested] of plan.nested) {
    const value = values[field];
    if (Array.isArray(value))
      value.forEach((each, at) => collect(nested, each as Values, [...path, field, String(at)], given));
    else if (value != null) collect(nested, value as Values, [...path, field], given);
  }
}

function collectField(named: Named, values: Values, path: readonly string[], given: Given[]): void {
  const { field, nameField, isRequired, of } = named;
  const [value, name] = [values[field], values[nameField]];
  const here = [...path, nameField];
  if (Array.isArray(name)) {
    checkLists(name as string[], here, of);
    if (name.length > 0) given.push({ named, names: leavesOf(name as string[], here) });
  } else if (name != null) {
    if (value != null) throw new InvalidInput(pathOf(here), `give ${field} or ${nameField}, not both`);
    given.push({ named, names: [{ name: name as string, path: here }] });
  } else if (isRequired && value == null) {
    throw new InvalidInput(pathOf([...path, field]), `neither ${field} nor ${nameField} is given`);
  }
}

function checkLists(
  names: readonly string[] | readonly (readonly string[])[],
  path: readonly string[],
  of: Named['of'],
): void {
  if (names.some(Array.isArray))
    validateAlternatives(names as readonly string[][], pathOf(path), 'aggregate');
  else validateList(names as readonly string[], pathOf(path), of);
}

/** The names in a list, or a list of lists, each with its place. */
function leavesOf(names: readonly (string | readonly string[])[], path: readonly string[]): Given['names'] {
  return names.flatMap((each, at) => {
    const here = [...path, String(at)];
    return typeof each === 'string' ? { name: each, path: here } : leavesOf(each, here);
  });
}

/** As rejections name fields: within the input of a mutation, and within the request of a search. */
function pathOf(path: readonly string[]): string[] {
  return path[0] === 'input' || path[0] === 'request' ? path.slice(1) : [...path];
}

type Uuids = Readonly<Record<Named['of'], ReadonlyMap<string, string>>>;

/** The uuids by name. @throws for the first name, in the order of the input, that is unknown */
async function lookUp(given: readonly Given[], context: Context, info: Info): Promise<Uuids> {
  const { providers, aggregatesByName } = context.loaders;
  const uuidOf = {
    'resource provider': async (name: string) => (await providers.byName(name))?.uuid ?? null,
    aggregate: (name: string) => aggregatesByName.load(name),
  };
  const uuids = { 'resource provider': new Map<string, string>(), aggregate: new Map<string, string>() };
  const found = await Promise.all(
    given.flatMap(({ named: { of }, names }) =>
      names.map(async ({ name }) => [of, name, await uuidOf[of](name)] as const),
    ),
  );
  for (const [of, name, uuid] of found) if (uuid !== null) uuids[of].set(name, uuid);
  for (const { named, names } of given) {
    const unknown = names.find(({ name }) => !uuids[named.of].has(name));
    if (unknown !== undefined) throw await rejection(named, unknown.path, unknown.name, context, info);
  }
  return uuids;
}

async function rejection(
  { of, isCondition }: Named,
  path: readonly string[],
  name: string,
  context: Context,
  { parentType }: Info,
): Promise<InvalidInput | NotFound> {
  const suggestion =
    of === 'aggregate' ? await suggestAggregates(name, context) : await suggestProviders(name, context);
  const shown = JSON.stringify(name.slice(0, 60));
  if (isCondition || parentType.name !== 'Mutation')
    return new InvalidInput(pathOf(path), `no ${of} has the name ${shown}${suggestion}`);
  return new NotFound(
    'RESOURCE_PROVIDER',
    name,
    `no ${of} has the name ${shown} (${pathOf(path).join('.')})${suggestion}`,
  );
}

/** The same values with uuids in place of names. */
function replaced(plan: InputPlan, values: Values, uuids: Uuids): Values {
  const result: Record<string, unknown> = { ...values };
  for (const { field, nameField, of } of plan.named) {
    const names = values[nameField];
    if (names == null) continue;
    result[nameField] = Array.isArray(names) ? [] : null;
    result[field] = Array.isArray(names)
      ? together((values[field] ?? []) as unknown[], uuidsOf(names, uuids[of]) as unknown[])
      : uuidsOf(names, uuids[of]);
  }
  for (const [field, nested] of plan.nested) {
    const value = values[field];
    if (Array.isArray(value)) result[field] = value.map((each) => replaced(nested, each as Values, uuids));
    else if (value != null) result[field] = replaced(nested, value as Values, uuids);
  }
  return result;
}

/** What was given both by uuid and by name is there once. */
function together(values: readonly unknown[], named: readonly unknown[]): unknown[] {
  return [...values, ...named.filter((each) => !values.includes(each))];
}

function uuidsOf(names: unknown, uuids: ReadonlyMap<string, string>): unknown {
  return Array.isArray(names) ? names.map((each) => uuidsOf(each, uuids)) : uuids.get(names as string);
}

/** Where in an input object, or the arguments of a field, uuids may be given by name. */
interface InputPlan {
  readonly named: readonly (NamedField & { readonly field: string })[];
  /** The input objects, or lists of them, that have such fields somewhere inside. */
  readonly nested: readonly (readonly [field: string, plan: InputPlan])[];
}

const plans = new WeakMap<GraphQLField<unknown, unknown>, InputPlan>();

/** That of a field, made when it is first asked for. */
function planOf(field: GraphQLField<unknown, unknown>): InputPlan {
  let plan = plans.get(field);
  if (plan === undefined) {
    plan = planInputs(field.args, new Map());
    plans.set(field, plan);
  }
  return plan;
}

type Input = GraphQLArgument | GraphQLInputField;

/** @param known by type: an input object may contain others of its own type */
function planInputs(inputs: readonly Input[], known: Map<string, InputPlan>): InputPlan {
  const plan = { named: new Array<InputPlan['named'][number]>(), nested: new Array<[string, InputPlan]>() };
  for (const input of inputs) {
    const named = input.extensions[NAMED] as NamedField | undefined;
    if (named !== undefined) plan.named.push({ ...named, field: input.name });
    const nested = planNested(input, known);
    if (nested !== null) plan.nested.push([input.name, nested]);
  }
  return plan;
}

function planNested(input: Input, known: Map<string, InputPlan>): InputPlan | null {
  const type = getNamedType(input.type);
  if (!isInputObjectType(type) || !takesNames(input, new Set())) return null;
  const done = known.get(type.name);
  if (done !== undefined) return done;
  const plan: { -readonly [Part in keyof InputPlan]: InputPlan[Part] } = { named: [], nested: [] };
  known.set(type.name, plan);
  return Object.assign(plan, planInputs(Object.values(type.getFields()), known));
}

function takesNames({ type, extensions }: Input, seen: Set<string>): boolean {
  if (extensions[NAMED] !== undefined) return true;
  const named = getNamedType(type);
  if (!isInputObjectType(named) || seen.has(named.name)) return false;
  seen.add(named.name);
  return Object.values(named.getFields()).some((field) => takesNames(field, seen));
}
