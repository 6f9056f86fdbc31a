import { encodeGlobalID } from '@pothos/plugin-relay';
import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import {
  allocationsOf,
  mappingsOf,
  providersOfTrees,
  summarizedTrees,
  type Candidate,
  type CandidateAllocation,
  type CandidateMapping,
} from '../../search/anchor.js';
import { isStandard } from '../../store/sql/catalog.js';
import { scoreByTerm } from '../../search/ordered/terms/values.js';
import { excludedRootsOf } from '../../search/plan.js';
import { countersOf } from '../../fleet/consumption.js';
import { ProviderView, rootRow, type ProviderRef, type Tree } from '../../fleet/snapshot.js';
import {
  bytePieces,
  leaf,
  list,
  listPieces,
  quoted,
  remembering,
  repeating,
  textOf,
  type Piece,
  type Write,
  TREE_TEXTS,
} from './treeTexts.js';
import { mapValues } from '../../model/collections.js';
import type { ProviderFields } from '../../model/provider.js';
import type { FoundCandidates } from '../../search/candidateSearch.js';
import { claimToken } from '../../moves/claim/claimToken.js';
import { COUNTED_ABOVE, LONG_SCALAR, type FieldCost } from '../cost/operationCost.js';
import { selectedFields, selects, type DocumentInfo, type SelectedField } from '../selection.js';
import { EXCLUDED_ROOTS } from './explanation.js';

/*
 * Writes an AllocationCandidates object as JSON text directly from the columns of the snapshot. A
 * selection is compiled into writers once for each answer. Each writer then only appends the text
 * of a value. Resolvers are derived from the same fields, or have the same meaning (catalog.ts,
 * providerAllocation.ts, resourceProvider.ts). The text is identical to that of graphql-js.
 */

export const TYPE = 'AllocationCandidates';

/** The document and the search result for which a selection is compiled. */
interface Target {
  readonly info: DocumentInfo;
  readonly found: FoundCandidates;
  /** The trees whose providers `providerSummaries` has. */
  readonly summarized: readonly Tree[];
  readonly databaseId: string;
}

/** A search result with the values of its text that are known before. */
export type CandidatesAnswer = Omit<Target, 'info'>;

/** Returns the lengths of the lists that an answer has, by field, with the nodes that select them. */
export function lengthsOf(info: GraphQLResolveInfo, { found, summarized }: CandidatesAnswer) {
  const lengths: Readonly<Record<string, number>> = {
    allocationRequests: found.candidates.length,
    providerSummaries: summarized.reduce((sum, { start, end }) => sum + end - start, 0),
  };
  return selectedFields(info, TYPE, info.fieldNodes)
    .filter(({ name }) => name in lengths)
    .map((field) => ({ field, length: lengths[field.name] }));
}

/** The types that are written as text, with the values that represent their objects. */
export interface SourceByType {
  readonly AllocationCandidates: FoundCandidates;
  readonly AllocationRequest: Candidate;
  readonly ProviderAllocation: CandidateAllocation;
  readonly RequestGroupMapping: CandidateMapping;
  readonly ResourceAmount: { readonly resourceClass: number; readonly amount: number };
  /** The id of the class. */
  readonly ResourceClass: number;
  readonly ResourceProvider: ProviderRef;
  readonly ProviderSummary: ProviderRef;
  /** An inventory by its position in the columns of the block. */
  readonly ProviderSummaryResource: Pick<ProviderRef, 'block'> & { readonly at: number };
}

export type TypeName = keyof SourceByType;

/** The types that only candidates have. Their resolvers are derived from CANDIDATE_FIELDS. */
export type CandidateType = Exclude<
  TypeName,
  'ProviderAllocation' | 'ResourceAmount' | 'ResourceClass' | 'ResourceProvider'
>;

/** A value, an object or null, or a list of them. */
type FieldType = ValueType | TypeName | readonly [ValueType | TypeName];
type ValueType = 'ID' | 'UUID' | 'String' | 'Int' | 'SafeInt' | 'Float' | 'Boolean';
type Each<Type> = Type extends TypeName ? SourceByType[Type] : string | number | boolean;
type ResultOf<Type> = Type extends readonly [infer Inner] ? readonly Each<Inner>[] : Each<Type> | null;

/** A field, which is read from an object of its type and from the answer. */
export interface Field<Source, Type extends FieldType = FieldType> {
  readonly type: Type;
  readonly get: (source: Source, found: FoundCandidates, databaseId: string) => ResultOf<Type>;
  readonly description?: string;
  readonly complexity?: FieldCost;
}

function field<Source, const Type extends FieldType>(
  type: Type,
  get: Field<Source, Type>['get'],
  description?: string,
  complexity?: FieldCost,
): Field<Source> {
  return { type, get, description, complexity };
}

type Fields<Source> = Readonly<Record<string, Field<Source>>>;

/** The columns that rows and snapshots have. */
type KnownProvider = Omit<ProviderFields, 'parentId' | 'rootId'>;

/** The scalars of ResourceProvider. Their resolvers and their writers are derived from these fields. */
export const PROVIDER_FIELDS: Fields<KnownProvider> = {
  uuid: field('UUID', ({ uuid }) => uuid, 'The uuid.'),
  name: field('String', ({ name }) => name, 'The unique name: 1 to 200 characters, case-sensitive.'),
  generation: field(
    'Int',
    ({ generation }) => generation,
    'From 0, plus 1 with every write. Writes pass it to prevent lost updates.',
  ),
  label: field('String', ({ name }) => name, 'The name.'),
};

/** The fields of the types that only candidates have. */
export const CANDIDATE_FIELDS: { readonly [Type in CandidateType]: Fields<SourceByType[Type]> } = {
  RequestGroupMapping: {
    suffix: field('String', ({ suffix }) => suffix, 'The suffix of the group; "": the unsuffixed group.'),
    resourceProviders: field(
      ['ResourceProvider'],
      ({ providers }) => providers,
      'The providers: one for a granular group, in no order for the unsuffixed group.',
    ),
  },
  AllocationRequest: {
    allocations: field(
      ['ProviderAllocation'],
      (candidate, { plan }) => allocationsOf(plan!, candidate),
      'The resources to allocate from each provider.',
    ),
    claimToken: field(
      'ID',
      (candidate, { plan, snapshot }, databaseId) =>
        claimToken(databaseId, snapshot.classes, allocationsOf(plan!, candidate)),
      'Stands for the allocations in `AllocationsInput`. It has no generations.',
      LONG_SCALAR,
    ),
    mappings: field(
      ['RequestGroupMapping'],
      (candidate, { plan }) => mappingsOf(plan!, candidate),
      'The providers of each group, in the order of the request.',
    ),
    score: field(
      ['Float'],
      (candidate, { plan }) => scoreByTerm(plan!, candidate),
      'By term of `orderBy`: the free share (0 to below 1), number of providers, sum of weights or ' +
        'number of consumers.',
    ),
  },
  ProviderSummaryResource: {
    resourceClass: field('ResourceClass', ({ block, at }) => block.classes[at], 'The resource class.'),
    capacity: field(
      'SafeInt',
      ({ block, at }) => block.capacities[at],
      '(total - reserved) * allocationRatio, rounded down.',
    ),
    used: field('SafeInt', ({ block, at }) => block.used[at], 'The sum of all allocations.'),
    consumesCounters: field(
      'Boolean',
      ({ block, at }) => countersOf(block, at).length > 0,
      'Whether it is a partition: each allocated unit consumes counters.',
    ),
  },
  ProviderSummary: {
    resourceProvider: field('ResourceProvider', (provider) => provider, 'The provider.'),
    resources: field(
      ['ProviderSummaryResource'],
      ({ block, row }) => {
        const start = block.inventoryStarts[row];
        const { length } = block.classes.subarray(start, block.inventoryStarts[row + 1]);
        return Array.from({ length }, (_, offset) => ({ block, at: start + offset }));
      },
      'All inventories of the provider.',
    ),
    traitNames: field(
      ['String'],
      ({ block, row }, { snapshot }) => {
        const traits = block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1]);
        return Array.from(traits, (trait) => snapshot.traits.nameOf(trait)).sort();
      },
      'The names of all traits of the provider, sorted.',
    ),
  },
  AllocationCandidates: {
    allocationRequests: field(
      ['AllocationRequest'],
      ({ candidates }) => candidates,
      'The best first with `orderBy`, otherwise in a seeded order that alternates between trees.',
      COUNTED_ABOVE,
    ),
    providerSummaries: field(
      ['ProviderSummary'],
      ({ snapshot, plan, candidates }) =>
        plan === null ? [] : [...providersOfTrees(summarizedTrees(snapshot, plan, candidates))],
      'All providers of the trees of the allocation requests.',
      COUNTED_ABOVE,
    ),
    complete: field(
      'Boolean',
      ({ complete }) => complete,
      'False if there are more candidates than the limit.',
    ),
    seed: field('Int', ({ seed }) => seed, 'The seed that repeats the order.'),
    excludedRoots: field(
      'Int',
      ({ snapshot, request }) => excludedRootsOf(snapshot, request).size,
      EXCLUDED_ROOTS,
    ),
  },
};

/** The fields of all types. Those of types that others than candidates have equal their resolvers. */
const TYPES: { readonly [Type in TypeName]: Fields<SourceByType[Type]> } = {
  ...CANDIDATE_FIELDS,
  ProviderAllocation: {
    resourceProvider: field('ResourceProvider', ({ provider }) => provider),
    resources: field(['ResourceAmount'], ({ resources }) => resources),
  },
  ResourceAmount: {
    resourceClass: field('ResourceClass', ({ resourceClass }) => resourceClass),
    amount: field('Int', ({ amount }) => amount),
  },
  ResourceClass: {
    id: field('ID', (id, { snapshot }) => encodeGlobalID('ResourceClass', snapshot.classes.nameOf(id))),
    name: field('String', (id, { snapshot }) => snapshot.classes.nameOf(id)),
    isStandard: field('Boolean', (id, { snapshot }) => isStandard(snapshot.classes.nameOf(id))),
  },
  ResourceProvider: {
    id: field('ID', ({ block, row }) => encodeGlobalID('ResourceProvider', block.uuids[row])),
    ...mapValues(PROVIDER_FIELDS, ({ type, get }) =>
      field(type, (ref: ProviderRef, ...answer) => get(new ProviderView(ref), ...answer)),
    ),
    parent: field('ResourceProvider', ({ block, row }) =>
      block.parents[row] < 0 ? null : { block, row: block.parents[row] },
    ),
    root: field('ResourceProvider', ({ block, row }) => ({ block, row: rootRow(block, row) })),
  },
};

type Keys = readonly [unknown, object];

/** Return the identity of objects whose texts recur in an answer; null for an object whose text does not. */
const KEYS: {
  readonly [Type in TypeName]?: (object: SourceByType[Type], found: FoundCandidates) => Keys | null;
} = {
  ProviderAllocation: ({ provider, resources }, { plan }) =>
    plan!.variables.some((variable) => variable.resources === resources) ? [resources, provider] : null,
  RequestGroupMapping: ({ suffix, providers }) => (providers.length === 1 ? [suffix, providers[0]] : null),
  ResourceClass: (id, { snapshot }) => [id, snapshot.classes],
};

/** Returns the type of a field's objects; null for values. */
export function objectTypeOf(type: FieldType): TypeName | null {
  const each = typeof type === 'string' ? type : type[0];
  return each in TYPES ? (each as TypeName) : null;
}

/** Returns the function from the values of a type to their JSON text. */
function textsOf(type: FieldType): (value: unknown) => string {
  if (typeof type !== 'string') return JSON.stringify;
  return type === 'ID' || type === 'UUID' || type === 'String'
    ? (quoted as (value: unknown) => string)
    : String;
}

/** Returns the writer of a field for the subfields that the nodes select. */
function writerOf<Source>(
  { type, get }: Field<Source>,
  target: Target,
  nodes: readonly FieldNode[],
): Write<Source> {
  const { found, databaseId } = target;
  const objectType = objectTypeOf(type);
  if (objectType === null) {
    const text = textsOf(type);
    return leaf((source) => text(get(source, found, databaseId)));
  }
  const keysOf = KEYS[objectType] as ((object: unknown, found: FoundCandidates) => Keys | null) | undefined;
  const plain = object(target, nodes, objectType) as Write<unknown>;
  const each = keysOf ? remembering(plain, (inner) => keysOf(inner, found)) : plain;
  const write = (typeof type === 'string' ? each : list(each)) as Write<unknown>;
  return (out, source) => {
    const inner = get(source, found, databaseId);
    if (inner === null) out.text += 'null';
    else write(out, inner);
  };
}

/** Yields the text of a field of AllocationCandidates. */
function piecesOf(name: string, target: Target, nodes: readonly FieldNode[]): Iterable<Piece> {
  const { info, found, summarized } = target;
  if (name === 'allocationRequests')
    return listPieces(object(target, nodes, 'AllocationRequest'), found.candidates);
  if (name === '__typename') return [`"${TYPE}"`];
  if (name !== 'providerSummaries') return [textOf(writerOf(TYPES[TYPE][name], target, nodes), found)];
  const write = object(target, nodes, 'ProviderSummary');
  const form = formOf(info, nodes, 'ProviderSummary');
  const textsOf = TREE_TEXTS.of(form, found.snapshot, (provider) => `,${textOf(write, provider)}`);
  return bytePieces(summarized, textsOf, ['[', ']']);
}

/** Returns the JSON text of the fields that `nodes` select of an answer, in pieces. */
export function* candidatesText(
  info: DocumentInfo,
  nodes: readonly FieldNode[],
  answer: CandidatesAnswer,
): Generator<Piece> {
  let lead = '{';
  for (const { key, name, nodes: inner } of selectedFields(info, TYPE, nodes)) {
    yield `${lead}${JSON.stringify(key)}:`;
    yield* piecesOf(name, { info, ...answer }, inner);
    lead = ',';
  }
  yield lead === '{' ? '{}' : '}';
}

/** Returns the trees of the `providerSummaries` of an answer; [] if the document does not select them. */
export function summarizedIn(info: GraphQLResolveInfo, found: FoundCandidates): readonly Tree[] {
  const { snapshot, plan, candidates } = found;
  if (plan === null || !selects(info, TYPE, 'providerSummaries')) return [];
  return summarizedTrees(snapshot, plan, candidates);
}

/** The fields that can be pre-serialized, as `Type.field`. All others need their resolvers. */
export const PRE_SERIALIZED: ReadonlySet<string> = new Set([
  ...Object.entries(TYPES).flatMap(([type, fields]) =>
    Object.keys(fields).map((field) => `${type}.${field}`),
  ),
  'Node.id',
]);

/** Returns a text that is equal for selections with equal texts. */
function formOf(info: DocumentInfo, nodes: readonly FieldNode[], type: TypeName): string {
  const fields: Fields<never> = TYPES[type];
  let form = '';
  for (const { key, name, nodes: inner } of selectedFields(info, type, nodes)) {
    const objectType = name in fields ? objectTypeOf(fields[name].type) : null; // not __typename
    form += `${key}:${name}{${objectType === null ? '' : formOf(info, inner, objectType)}}`;
  }
  return form;
}

function object<Type extends TypeName>(
  target: Target,
  nodes: readonly FieldNode[],
  type: Type,
): Write<SourceByType[Type]> {
  const fields: Fields<SourceByType[Type]> = TYPES[type];
  const selected = selectedFields(target.info, type, nodes);
  const ofScalars = new Map<string, Write<SourceByType[Type]>>();
  const memberOf = ({ name, nodes: inner }: SelectedField): Write<SourceByType[Type]> => {
    if (name === '__typename') return leaf(() => JSON.stringify(type));
    if (inner[0].selectionSet) return writerOf(fields[name], target, inner);
    let write = ofScalars.get(name);
    if (write === undefined) {
      const aliases = selected.filter((field) => field.name === name);
      write = writerOf(fields[name], target, inner);
      if (aliases.length > 1) write = repeating(write);
      ofScalars.set(name, write);
    }
    return write;
  };
  const members = selected.map((field, at) => ({
    lead: `${at === 0 ? '{' : ','}${JSON.stringify(field.key)}:`,
    write: memberOf(field),
  }));
  if (members.length === 0) return leaf(() => '{}');
  return (out, value) => {
    for (const { lead, write } of members) {
      out.text += lead;
      write(out, value);
    }
    out.text += '}';
  };
}
