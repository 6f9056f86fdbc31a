import { formatAmounts } from '../../components/format';
import type { Lit } from '../../components/tree/providerBox';
import type { TreeProvider } from '../../components/tree/treeLayout';
import type { CandidatesQuery } from '../../generated/place/operations';

type Candidates = NonNullable<CandidatesQuery['allocationCandidates']>;
export type Candidate = Candidates['allocationRequests'][number];

/** The drawing of a candidate: a tree, its sharing providers, and the amounts taken from each. */
export interface CandidatePicture {
  readonly candidate: Candidate;
  /** The amounts by provider in the format of the address. The key is unique within a request. */
  readonly key: string;
  readonly host: string;
  /** The amounts by provider in readable form. */
  readonly text: string;
  /** The providers of the tree, the root first. */
  readonly tree: readonly TreeProvider[];
  readonly sharing: readonly TreeProvider[];
  readonly lit: ReadonlyMap<string, Lit>;
}

const SHARING_TRAIT = 'MISC_SHARES_VIA_AGGREGATE';

export function picturesOf({ allocationRequests, providerSummaries }: Candidates): CandidatePicture[] {
  const providers = providerSummaries.map((summary) => ({
    ...summary.resourceProvider,
    isSharing: summary.traitNames.includes(SHARING_TRAIT),
    inventories: summary.resources,
  }));
  return allocationRequests.map((candidate) => {
    const taken = new Set(candidate.allocations.map(({ resourceProvider }) => resourceProvider.uuid));
    const chosen = providers.filter(({ uuid }) => taken.has(uuid));
    const { root } = chosen.find(({ isSharing }) => !isSharing) ?? chosen[0];
    const isInTree = (one: (typeof providers)[number]): boolean => one.root.uuid === root.uuid;
    const tree = providers.filter(isInTree);
    return {
      candidate,
      key: candidate.claimToken,
      host: tree.find(({ parent }) => !parent)!.name,
      text: textOf(candidate),
      tree: [...tree.filter(({ parent }) => !parent), ...tree.filter(({ parent }) => parent)],
      sharing: chosen.filter((one) => !isInTree(one)),
      lit: litBy(candidate),
    };
  });
}

const textOf = ({ allocations }: Candidate): string =>
  allocations
    .map(({ resourceProvider, resources }) => `${formatAmounts(resources)} of ${resourceProvider.name}`)
    .join('; ');

function litBy({ allocations, mappings }: Candidate): ReadonlyMap<string, Lit> {
  const groups = mappings.map(({ suffix, resourceProviders }, place) => ({
    group: { place, suffix },
    uuids: resourceProviders.map(({ uuid }) => uuid),
  }));
  const amounts = new Map(
    allocations.map(({ resourceProvider, resources }) => [
      resourceProvider.uuid,
      new Map(resources.map(({ resourceClass, amount }) => [resourceClass.name, amount])),
    ]),
  );
  // a group without resources may select a provider from which the candidate takes nothing
  const all = new Set([...amounts.keys(), ...groups.flatMap(({ uuids }) => uuids)]);
  return new Map(
    Array.from(all, (uuid) => [
      uuid,
      {
        amounts: amounts.get(uuid) ?? new Map<string, number>(),
        groups: groups.filter(({ uuids }) => uuids.includes(uuid)).map(({ group }) => group),
      },
    ]),
  );
}
