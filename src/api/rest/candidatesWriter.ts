import {
  allocationsOf,
  mappingsOf,
  summarizedTrees,
  type Candidate,
  type CandidateAllocation,
} from '../../search/anchor.js';
import type { Plan } from '../../search/plan.js';
import { rootRow, type ProviderRef, type Snapshot } from '../../fleet/snapshot.js';
import { bytePieces, quoted, type Piece, TREE_TEXTS } from '../candidates/treeTexts.js';
import type { FoundCandidates } from '../../search/candidateSearch.js';
import { has } from './microversion.js';

/*
 * Writes the answer of GET /allocation_candidates as JSON text, directly from the columns of the snapshot.
 */

/** Yields the JSON text of an answer in pieces. */
export function* candidatesJson(
  { snapshot, plan, candidates }: Pick<FoundCandidates, 'snapshot' | 'plan' | 'candidates'>,
  version: number,
): Generator<Piece> {
  yield '{"allocation_requests":[';
  if (plan !== null) yield* requestsJson(snapshot, plan, candidates, version);
  yield '],"provider_summaries":';
  if (plan === null) yield '{}';
  else yield* summariesJson(snapshot, plan, candidates, version);
  yield '}';
}

function* requestsJson(
  { classes }: Snapshot,
  plan: Plan,
  candidates: readonly Candidate[],
  version: number,
): Generator<string> {
  const amounts = amountsWriter(classes);
  const hasMappings = has.mappings(version);
  const allocationsText = has.allocationsByProvider(version)
    ? (allocations: readonly CandidateAllocation[]): string => {
        let text = '{';
        for (const { provider, resources } of allocations)
          text += `${text === '{' ? '' : ','}"${uuidOf(provider)}":{"resources":${amounts(resources)}}`;
        return `${text}}`;
      }
    : (allocations: readonly CandidateAllocation[]): string => {
        const entries = allocations.map(
          ({ provider, resources }) =>
            `{"resource_provider":{"uuid":"${uuidOf(provider)}"},"resources":${amounts(resources)}}`,
        );
        return `[${entries.join()}]`;
      };
  let lead = '';
  for (const candidate of candidates) {
    const allocations = allocationsText(allocationsOf(plan, candidate));
    const mappings = hasMappings ? `,"mappings":${mappingsText(plan, candidate)}` : '';
    yield `${lead}{"allocations":${allocations}${mappings}}`;
    lead = ',';
  }
}

function uuidOf({ block, row }: ProviderRef): string {
  return block.uuids[row];
}

type Amounts = CandidateAllocation['resources'];

/** Returns a function from amounts to their text. Equal lists of the plan are written once. */
function amountsWriter(classes: Snapshot['classes']): (amounts: Amounts) => string {
  const texts = new WeakMap<Amounts, string>();
  return (amounts) => {
    let text = texts.get(amounts);
    if (text === undefined) {
      const entries = amounts.map(
        ({ resourceClass, amount }) => `${quoted(classes.nameOf(resourceClass))}:${amount}`,
      );
      texts.set(amounts, (text = `{${entries.join()}}`));
    }
    return text;
  };
}

function mappingsText(plan: Plan, candidate: Candidate): string {
  let text = '{';
  for (const { suffix, providers } of mappingsOf(plan, candidate)) {
    const uuids = providers.length === 1 ? uuidOf(providers[0]) : providers.map(uuidOf).join('","');
    text += `${text === '{' ? '' : ','}"${suffix}":["${uuids}"]`;
  }
  return `${text}}`;
}

function summariesJson(
  snapshot: Snapshot,
  plan: Plan,
  candidates: readonly Candidate[],
  version: number,
): Iterable<Piece> {
  const form = formOf(plan, version);
  const write = (provider: ProviderRef): string => `,${summaryText(snapshot, provider, form)}`;
  if (!form.hasTree)
    return bytePieces(usedProviders(plan, candidates), (provider) => Buffer.from(write(provider)), [
      '{',
      '}',
    ]);
  // versions with trees have one form
  const textsOf = TREE_TEXTS.of('REST', snapshot, write);
  return bytePieces(summarizedTrees(snapshot, plan, candidates), textsOf, ['{', '}']);
}

/** Yields the providers of the candidates, each once. */
function* usedProviders(plan: Plan, candidates: readonly Candidate[]): Generator<ProviderRef> {
  const seen = new Set<number>();
  for (const candidate of candidates)
    for (const { provider } of allocationsOf(plan, candidate)) {
      const id = provider.block.ids[provider.row];
      if (!seen.has(id)) yield provider;
      seen.add(id);
    }
}

function formOf({ variables }: Plan, version: number): SummaryForm {
  const requested = new Set(
    variables.flatMap(({ resources }) => resources.map(({ resourceClass }) => resourceClass)),
  );
  const hasAll = has.allClassesOfSummaries(version);
  return {
    isShown: (resourceClass) => hasAll || requested.has(resourceClass),
    hasTraits: has.traitsOfSummaries(version),
    hasTree: has.nestedProviders(version),
  };
}

interface SummaryForm {
  readonly isShown: (resourceClass: number) => boolean;
  readonly hasTraits: boolean;
  readonly hasTree: boolean;
}

function summaryText(
  { classes, traits }: Snapshot,
  { block, row }: ProviderRef,
  { isShown, hasTraits, hasTree }: SummaryForm,
): string {
  let resources = '';
  for (let at = block.inventoryStarts[row]; at < block.inventoryStarts[row + 1]; at++) {
    if (!isShown(block.classes[at])) continue;
    const name = quoted(classes.nameOf(block.classes[at]));
    resources += `${resources && ','}${name}:{"capacity":${block.capacities[at]},"used":${block.used[at]}}`;
  }
  let text = `"${block.uuids[row]}":{"resources":{${resources}}`;
  if (hasTraits) {
    const own = block.traits.subarray(block.traitStarts[row], block.traitStarts[row + 1]);
    const names = Array.from(own, (id) => quoted(traits.nameOf(id)));
    text += `,"traits":[${names.join()}]`;
  }
  if (hasTree) {
    const parent = block.parents[row] < 0 ? 'null' : `"${block.uuids[block.parents[row]]}"`;
    text += `,"parent_provider_uuid":${parent},"root_provider_uuid":"${block.uuids[rootRow(block, row)]}"`;
  }
  return `${text}}`;
}
