import {
  getNamedType,
  isInputObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
} from 'graphql';
import { NAMED, type NamedField } from './namedField.js';

/** Where in an input object, or the arguments of a field, uuids may be given by name. */
export interface InputPlan {
  readonly named: readonly (NamedField & { readonly field: string })[];
  /** The input objects, or lists of them, that have such fields somewhere inside. */
  readonly nested: readonly (readonly [field: string, plan: InputPlan])[];
}

const plans = new WeakMap<GraphQLField<unknown, unknown>, InputPlan>();

/** That of a field, made when it is first asked for. */
export function planOf(field: GraphQLField<unknown, unknown>): InputPlan {
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
