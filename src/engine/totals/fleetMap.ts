import { firstDuplicate } from '../../domain/duplicates.js';
import { InvalidInput, unknownName } from '../../domain/invalidInput.js';
import { hasBit, type BlockIndex, type Names, type Snapshot } from '../model/snapshot.js';
import type { Total } from './totals.js';

/** The trees that offer a resource class, as columns: position i of each is of the same tree. */
export interface FleetMap {
  readonly snapshot: Snapshot;
  /** In the order of the names of the roots. */
  readonly trees: readonly Total[];
}

/** Trees of a map that have something in common. */
export interface FleetMapGroup {
  /** A trait, or the uuid of an aggregate. */
  readonly name: string;
  /** Positions in the map, ascending. */
  readonly trees: readonly number[];
}

/** The aggregates that any provider of these trees is in. */
export function aggregatesOf({ snapshot, trees }: FleetMap): FleetMapGroup[] {
  return groupsOf(trees, snapshot.aggregates, (index) => index.aggregates);
}

/**
 * The trees in which any provider has a trait, for each of some traits.
 *
 * @throws InvalidInput for an unknown trait, and one that is there twice
 */
export function traitsOf({ snapshot, trees }: FleetMap, traits: readonly string[]): FleetMapGroup[] {
  const unknown = traits.findIndex((name) => snapshot.traits.idOf(name) === undefined);
  if (unknown >= 0) throw unknownName('trait', traits[unknown], ['names', String(unknown)]);
  if (firstDuplicate(traits) >= 0) throw new InvalidInput(['names'], 'a trait is there twice');
  const groups = groupsOf(trees, snapshot.traits, (index) => index.traits);
  return traits.map((name) => groups.find((group) => group.name === name) ?? { name, trees: [] });
}

/** By what the index of a block knows of its trees, so that no provider is looked at. */
function groupsOf(
  trees: readonly Total[],
  names: Names,
  bitsIn: (index: BlockIndex) => ReadonlyMap<number, Uint32Array>,
): FleetMapGroup[] {
  const groups = new Map<number, number[]>();
  trees.forEach(({ root }, position) => {
    const { block, row } = root!;
    for (const [id, bits] of bitsIn(block.index)) {
      if (!hasBit(bits, block.trees[row])) continue;
      const group = groups.get(id);
      if (group === undefined) groups.set(id, [position]);
      else group.push(position);
    }
  });
  // in a damaged database a trait or an aggregate may have no name
  return Array.from(groups)
    .filter(([id]) => names.has(id))
    .map(([id, positions]) => ({ name: names.nameOf(id), trees: positions }));
}
