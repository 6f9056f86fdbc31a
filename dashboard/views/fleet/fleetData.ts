import type { FleetMapQuery, FleetMapOfTreesQuery } from '../../generated/fleet/operations';
import { MAINTENANCE } from '../../components/maintenance';
import type { Grouping } from './grouping';

/** Hosts of a map that are drawn together. A host may be in several groups. */
export interface HostGroup {
  readonly label: string;
  readonly hosts: readonly number[];
}

/** Every tree that offers a class, as parallel arrays: an index stands for one host. */
export interface FleetData {
  readonly names: readonly string[];
  readonly capacities: readonly number[];
  readonly used: readonly number[];
  readonly available: readonly number[];
  readonly groups: readonly HostGroup[];
  readonly inMaintenance: ReadonlySet<number>;
  /** The index of each host by its name. */
  readonly indices: ReadonlyMap<string, number>;
}

type Answer = NonNullable<FleetMapQuery['fleetMap']>;

/**
 * Returns the data of an answer. If hosts and groups are unchanged, it reuses their objects, so
 * that the map keeps its layout.
 */
export function fleetDataOf(answer: Answer, grouping: Grouping, before: FleetData | null): FleetData {
  const { names, capacities, used, available } = answer;
  const groups = groupsOf(answer, grouping);
  const inMaintenance = new Set(treesWith(MAINTENANCE, answer));
  if (before && areEqual(names, before.names) && areSameGroups(groups, before.groups))
    return { ...before, capacities, used, available, inMaintenance };
  const indices = new Map(names.map((name, index) => [name, index]));
  return { names, capacities, used, available, indices, groups, inMaintenance };
}

const treesWith = (name: string, { traits }: Answer): readonly number[] =>
  traits.find(({ trait }) => trait!.name === name)?.trees ?? [];

const areSameGroups = (ones: readonly HostGroup[], others: readonly HostGroup[]): boolean =>
  ones.length === others.length &&
  ones.every(({ label, hosts }, at) => label === others[at].label && areEqual(hosts, others[at].hosts));

const areEqual = <Item>(ones: readonly Item[], others: readonly Item[]): boolean =>
  ones.length === others.length && ones.every((one, at) => one === others[at]);

function groupsOf(answer: Answer, grouping: Grouping): HostGroup[] {
  const { names, aggregates = [] } = answer;
  const { kind } = grouping;
  if (kind === 'none') return [{ label: '', hosts: names.map((_name, host) => host) }];
  if (kind === 'trait') {
    const { trait } = grouping;
    return withOthers([{ label: trait, hosts: treesWith(trait, answer) }], names.length);
  }
  const isNamed = kind === 'zone';
  const chosen = aggregates
    .filter(({ aggregate }) => (aggregate!.name !== null) === isNamed)
    .map(({ aggregate, trees }) => ({ label: aggregate!.name ?? aggregate!.uuid.slice(-8), hosts: trees }));
  if (!isNamed) return withOthers(inOrderOfHosts(chosen), names.length);
  return withOthers(
    chosen.sort((one, other) => one.label.localeCompare(other.label, 'en', { numeric: true })),
    names.length,
  );
}

/** Sorts groups without names by their first host. */
function inOrderOfHosts(groups: HostGroup[]): HostGroup[] {
  return groups.sort((one, other) => one.hosts[0] - other.hosts[0]);
}

/** Appends a group of all hosts that are in no group. */
function withOthers(groups: HostGroup[], count: number): HostGroup[] {
  const grouped = new Set(groups.flatMap(({ hosts }) => hosts));
  if (grouped.size === count) return groups;
  const others = Array.from({ length: count }, (_, host) => host).filter((host) => !grouped.has(host));
  return [...groups, { label: 'others', hosts: others }];
}

/**
 * Returns the data with the new numbers of some trees. Returns null if a tree is new; then
 * everything has to be read again.
 */
export function withChanges(
  data: FleetData,
  changes: NonNullable<FleetMapOfTreesQuery['fleetMap']>,
): FleetData | null {
  const capacities = [...data.capacities];
  const used = [...data.used];
  const available = [...data.available];
  for (const [position, name] of changes.names.entries()) {
    const host = data.indices.get(name);
    if (host === undefined) return null;
    capacities[host] = changes.capacities[position];
    used[host] = changes.used[position];
    available[host] = changes.available[position];
  }
  return { ...data, capacities, used, available };
}

/** Returns the share of a host that is in use, or null without a capacity. */
export function shareOf({ capacities, used }: FleetData, host: number): number | null {
  return capacities[host] > 0 ? used[host] / capacities[host] : null;
}

/** Returns the share of a group that is in use, or null without a capacity. */
export function shareOfGroup({ capacities, used }: FleetData, { hosts }: HostGroup): number | null {
  const sum = (amounts: readonly number[]): number => hosts.reduce((all, host) => all + amounts[host], 0);
  const capacity = sum(capacities);
  return capacity > 0 ? sum(used) / capacity : null;
}
