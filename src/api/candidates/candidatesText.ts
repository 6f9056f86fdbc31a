import { encodeGlobalID } from '@pothos/plugin-relay';
import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import {
  allocationsOf,
  mappingsOf,
  summarizedTrees,
  type Candidate,
  type CandidateAllocation,
  type CandidateMapping,
} from '../../search/anchor.js';
import { isStandard } from '../../store/sql/catalog.js';
import { scoreByTerm } from '../../search/ordered/terms/values.js';
import { excludedRootsOf } from '../../search/plan.js';
import {
  ProviderView,
  rootRow,
  type Block,
  type Names,
  type ProviderRef,
  type Tree,
} from '../../fleet/snapshot.js';
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
  type Text,
  type Write,
  TREE_TEXTS,
} from './treeTexts.js';
import { mapValues } from '../../model/collections.js';
import type { ProviderFields } from '../../model/provider.js';
import type { FoundCandidates } from '../../search/candidateSearch.js';
import { claimToken } from '../../moves/claim/claimToken.js';
import { selectedFields, selects, type DocumentInfo, type SelectedField } from '../selection.js';

/*
 * Writes an AllocationCandidates object as JSON text directly from the columns of the snapshot. A
 * selection is compiled into writers once for each answer. Each writer then only appends the text
 * of a value. The fields have the same meaning as their resolvers in candidates.ts and
 * resourceProvider.ts. The text is identical to that of graphql-js.
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

/** Returns the writer of a field for the subfields that the nodes select. */
type Compile<T> = (target: Target, nodes: readonly FieldNode[]) => Write<T>;

/** The pre-serialized types of the schema, with the values that represent their objects. */
interface SourceByType {
  readonly AllocationRequest: Candidate;
  readonly ProviderAllocation: CandidateAllocation;
  readonly RequestGroupMapping: CandidateMapping;
  readonly ResourceAmount: { readonly resourceClass: number; readonly amount: number };
  /** The name of the class. */
  readonly ResourceClass: string;
  readonly ResourceProvider: ProviderRef;
  readonly ProviderSummary: ProviderRef;
  /** An inventory by its position in the columns of the block. */
  readonly ProviderSummaryResource: Pick<ProviderRef, 'block'> & { readonly at: number };
}

/** A scalar field of ResourceProvider. */
interface ProviderField {
  readonly type: 'UUID' | 'String' | 'Int';
  readonly description: string;
  /** Reads it from the columns that rows and snapshots have. */
  readonly get: (provider: Omit<ProviderFields, 'parentId' | 'rootId'>) => string | number;
}

/** The fields from which their resolvers and their writers are derived. */
export const PROVIDER_FIELDS: Readonly<Record<string, ProviderField>> = {
  uuid: { type: 'UUID', description: 'The uuid.', get: ({ uuid }) => uuid },
  name: {
    type: 'String',
    description: 'The unique name: 1 to 200 characters, case-sensitive.',
    get: ({ name }) => name,
  },
  generation: {
    type: 'Int',
    description: 'From 0, plus 1 with every write. Writes pass it to prevent lost updates.',
    get: ({ generation }) => generation,
  },
  label: { type: 'String', description: 'The name.', get: ({ name }) => name },
};

type Fields<T> = Readonly<Record<string, Compile<T>>>;

const TYPES: { readonly [Type in keyof SourceByType]: Fields<SourceByType[Type]> } = {
  AllocationRequest: {
    allocations(target, nodes) {
      const { variables } = target.found.plan ?? { variables: [] };
      const planned = new Set(variables.map(({ resources }) => resources));
      const write = list(
        remembering(object(target, nodes, 'ProviderAllocation'), ({ provider, resources }) =>
          planned.has(resources) ? [resources, provider] : null,
        ),
      );
      return (out, candidate) => write(out, allocationsOf(target.found.plan!, candidate));
    },
    mappings(target, nodes) {
      const write = list(
        remembering(object(target, nodes, 'RequestGroupMapping'), ({ suffix, providers }) =>
          providers.length === 1 ? [suffix, providers[0]] : null,
        ),
      );
      return (out, candidate) => write(out, mappingsOf(target.found.plan!, candidate));
    },
    claimToken: ({ found, databaseId }) =>
      leaf((candidate) => {
        const token = claimToken(databaseId, found.snapshot.classes, allocationsOf(found.plan!, candidate));
        return `"${token}"`;
      }),
    score: ({ found }) => leaf((candidate) => JSON.stringify(scoreByTerm(found.plan!, candidate))),
  },
  ProviderAllocation: {
    resourceProvider(target, nodes) {
      const write = object(target, nodes, 'ResourceProvider');
      return (out, { provider }) => write(out, provider);
    },
    resources(target, nodes) {
      const write = list(object(target, nodes, 'ResourceAmount'));
      return (out, { resources }) => write(out, resources);
    },
  },
  RequestGroupMapping: {
    suffix: () => leaf(({ suffix }) => JSON.stringify(suffix)),
    resourceProviders(target, nodes) {
      const write = list(object(target, nodes, 'ResourceProvider'));
      return (out, { providers }) => write(out, providers);
    },
  },
  ResourceAmount: {
    resourceClass(target, nodes) {
      const text = classText(target, nodes);
      return leaf(({ resourceClass }) => text(resourceClass));
    },
    amount: () => leaf(({ amount }) => String(amount)),
  },
  ResourceClass: {
    id: () => leaf((name) => quoted(encodeGlobalID('ResourceClass', name))),
    name: () => leaf((name) => quoted(name)),
    isStandard: () => leaf((name) => String(isStandard(name))),
  },
  ResourceProvider: {
    id: () => leaf(({ block, row }) => quoted(encodeGlobalID('ResourceProvider', block.uuids[row]))),
    ...mapValues(PROVIDER_FIELDS, (field) => () => providerLeaf(field)),
    parent(target, nodes) {
      const write = again(object(target, nodes, 'ResourceProvider'));
      return (out, { block, row }) => {
        if (block.parents[row] < 0) out.text += 'null';
        else write(out, block, block.parents[row]);
      };
    },
    root(target, nodes) {
      const write = again(object(target, nodes, 'ResourceProvider'));
      return (out, { block, row }) => write(out, block, rootRow(block, row));
    },
  },
  ProviderSummary: {
    resourceProvider: (target, nodes) => object(target, nodes, 'ResourceProvider'),
    resources(target, nodes) {
      const write = object(target, nodes, 'ProviderSummaryResource');
      return (out, { block, row }) => {
        const [start, end] = [block.inventoryStarts[row], block.inventoryStarts[row + 1]];
        out.text += '[';
        for (let at = start; at < end; at++) {
          if (at > start) out.text += ',';
          write(out, { block, at });
        }
        out.text += ']';
      };
    },
    traitNames: ({ found }) => leaf((provider) => traitNamesText(provider, found.snapshot.traits)),
  },
  ProviderSummaryResource: {
    resourceClass(target, nodes) {
      const text = classText(target, nodes);
      return leaf(({ block, at }) => text(block.classes[at]));
    },
    capacity: () => leaf(({ block, at }) => String(block.capacities[at])),
    used: () => leaf(({ block, at }) => String(block.used[at])),
  },
};

/** Writes a scalar of providers. */
function providerLeaf({ type, get }: ProviderField): Write<ProviderRef> {
  const text = type === 'Int' ? String : quoted;
  let provider: ProviderView | undefined;
  return leaf((ref) => text(get((provider = provider?.moveTo(ref) ?? new ProviderView(ref))) as string));
}

/** Returns a function from the id of a class to its text. Writes each class once per selection. */
function classText(target: Target, nodes: readonly FieldNode[]): (id: number) => string {
  const write = object(target, nodes, 'ResourceClass');
  const texts = new Map<number, string>();
  return (id) => {
    let text = texts.get(id);
    if (text === undefined) texts.set(id, (text = textOf(write, target.found.snapshot.classes.nameOf(id))));
    return text;
  };
}

/** Caches the text of the last provider, because providers often share a root or a parent. */
function again(write: Write<ProviderRef>): (out: Text, block: Block, row: number) => void {
  let last: ProviderRef | null = null;
  let text = '';
  return (out, block, row) => {
    if (last?.block !== block || last.row !== row) {
      last = { block, row };
      text = textOf(write, last);
    }
    out.text += text;
  };
}

/** Writes the fields of AllocationCandidates in pieces. */
const ALLOCATION_CANDIDATES: Readonly<
  Record<string, (target: Target, nodes: readonly FieldNode[]) => Iterable<Piece>>
> = {
  allocationRequests: (target, nodes) =>
    listPieces(object(target, nodes, 'AllocationRequest'), target.found.candidates),
  providerSummaries(target, nodes) {
    const write = object(target, nodes, 'ProviderSummary');
    const form = formOf(target.info, nodes, 'ProviderSummary');
    const textsOf = TREE_TEXTS.of(form, target.found.snapshot, (provider) => `,${textOf(write, provider)}`);
    return bytePieces(target.summarized, textsOf, ['[', ']']);
  },
  complete: ({ found }) => [String(found.complete)],
  seed: ({ found }) => [String(found.seed)],
  excludedRoots: ({ found: { snapshot, request } }) => [String(excludedRootsOf(snapshot, request).size)],
  __typename: () => [`"${TYPE}"`],
};

/** Returns the JSON text of the fields that `nodes` select of an answer, in pieces. */
export function* candidatesText(
  info: DocumentInfo,
  nodes: readonly FieldNode[],
  answer: CandidatesAnswer,
): Generator<Piece> {
  let lead = '{';
  for (const { key, name, nodes: inner } of selectedFields(info, TYPE, nodes)) {
    yield `${lead}${JSON.stringify(key)}:`;
    yield* ALLOCATION_CANDIDATES[name]({ info, ...answer }, inner);
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

export function selectsClaimTokens(info: GraphQLResolveInfo): boolean {
  const requests = selectedFields(info, TYPE, info.fieldNodes).filter(
    ({ name }) => name === 'allocationRequests',
  );
  return requests.some(({ nodes }) =>
    selectedFields(info, 'AllocationRequest', nodes).some(({ name }) => name === 'claimToken'),
  );
}

/** The fields that can be pre-serialized, as `Type.field`. All others need their resolvers. */
export const PRE_SERIALIZED: ReadonlySet<string> = new Set([
  ...Object.entries({ ...TYPES, [TYPE]: ALLOCATION_CANDIDATES }).flatMap(([type, fields]) =>
    Object.keys(fields).map((field) => `${type}.${field}`),
  ),
  'Node.id',
]);

/** The types of the fields of a summary that are objects. */
const OBJECTS: { readonly [Type in keyof SourceByType]?: Readonly<Record<string, keyof SourceByType>> } = {
  ProviderSummary: { resourceProvider: 'ResourceProvider', resources: 'ProviderSummaryResource' },
  ProviderSummaryResource: { resourceClass: 'ResourceClass' },
  ResourceProvider: { parent: 'ResourceProvider', root: 'ResourceProvider' },
};

/** Returns a text that is equal for selections with equal texts. */
function formOf(info: DocumentInfo, nodes: readonly FieldNode[], type: keyof SourceByType): string {
  let form = '';
  for (const { key, name, nodes: inner } of selectedFields(info, type, nodes)) {
    const objectType = OBJECTS[type]?.[name];
    form += `${key}:${name}{${objectType === undefined ? '' : formOf(info, inner, objectType)}}`;
  }
  return form;
}

function object<Type extends keyof SourceByType>(
  target: Target,
  nodes: readonly FieldNode[],
  type: Type,
): Write<SourceByType[Type]> {
  const fields: Fields<SourceByType[Type]> = TYPES[type];
  const selected = selectedFields(target.info, type, nodes);
  const ofScalars = new Map<string, Write<SourceByType[Type]>>();
  const writerOf = ({ name, nodes: inner }: SelectedField): Write<SourceByType[Type]> => {
    if (name === '__typename') return leaf(() => JSON.stringify(type));
    if (inner[0].selectionSet) return fields[name](target, inner);
    let write = ofScalars.get(name);
    if (write === undefined) {
      const aliases = selected.filter((field) => field.name === name);
      write = aliases.length > 1 ? repeating(fields[name](target, inner)) : fields[name](target, inner);
      ofScalars.set(name, write);
    }
    return write;
  };
  const members = selected.map((field, at) => ({
    lead: `${at === 0 ? '{' : ','}${JSON.stringify(field.key)}:`,
    write: writerOf(field),
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

function traitNamesText({ block, row }: ProviderRef, traits: Names): string {
  const [start, end] = [block.traitStarts[row], block.traitStarts[row + 1]];
  if (start === end) return '[]';
  if (start + 1 === end) return `[${quoted(traits.nameOf(block.traits[start]))}]`;
  const names = Array.from(block.traits.subarray(start, end), (id) => traits.nameOf(id));
  return `[${names.sort().map(quoted).join()}]`;
}
