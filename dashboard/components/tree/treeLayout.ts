import { slicesIn } from './slices';

/** The properties of a provider that the drawing shows. */
export interface TreeProvider {
  readonly uuid: string;
  readonly name: string;
  readonly isSharing: boolean;
  readonly parent: { readonly uuid: string } | null;
  readonly inventories: readonly TreeInventory[];
  /** The number of its partitions that the drawing omits. */
  readonly omittedChildren?: number;
}

export interface TreeInventory {
  readonly resourceClass: { readonly name: string };
  readonly used: number;
  readonly capacity: number;
  /** Whether it is a partition, whose units consume counters. */
  readonly consumesCounters?: boolean;
}

export interface PlacedProvider<Provider extends TreeProvider = TreeProvider> {
  readonly provider: Provider;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A line from a box to a child at its right, or to a provider that shares with it. */
export interface TreeLink {
  readonly from: PlacedProvider;
  readonly to: PlacedProvider;
  readonly isSharing: boolean;
}

export interface TreeLayout<Provider extends TreeProvider> {
  readonly width: number;
  readonly height: number;
  readonly providers: readonly PlacedProvider<Provider>[];
  readonly links: readonly TreeLink[];
}

/** All sizes are in pixels. */
const LEAST_WIDTH = 208;
const GREATEST_WIDTH = 360;
/** The width of a box without the name of the class: the bar, the number and the spaces. */
const BESIDE_CLASS = 132;
const COLUMN_GAP = 44;
const ROW_GAP = 12;
const SHARING_GAP = 28;
const INDENT = 20;
const HEAD = 30;
const INVENTORY = 17;

/**
 * Places a tree from left to right with a column for each level. A parent is beside the middle of
 * its children. Sharing providers are below the tree, at its left edge.
 *
 * @param tree the root, then all of its descendants, parents before their children
 * @param widthOf returns the width of the name of a resource class (pixels): the boxes of a column
 * are as wide as their longest name
 */
export function placeTree<Provider extends TreeProvider>(
  tree: readonly Provider[],
  sharing: readonly Provider[],
  widthOf: (resourceClass: string) => number,
): TreeLayout<Provider> {
  const placer = new TreePlacer(tree, sharing, widthOf);
  const root = placer.place(tree[0], 0);
  const { providers, links } = placer;
  let y = placer.bottom + SHARING_GAP - ROW_GAP;
  for (const provider of sharing) {
    const placed = { provider, x: 0, y, width: root.width, height: heightOf(provider) };
    providers.push(placed);
    links.push({ from: root, to: placed, isSharing: true });
    y += placed.height + ROW_GAP;
  }
  return {
    width: Math.max(...providers.map(({ x, width }) => x + width)),
    height: Math.max(...providers.map((placed) => placed.y + placed.height)),
    providers,
    links,
  };
}

/** Places a tree for a narrow screen: one box below the other, children indented below their parents. */
export function indentTree<Provider extends TreeProvider>(
  tree: readonly Provider[],
  sharing: readonly Provider[],
  width: number,
): TreeLayout<Provider> {
  const providers: PlacedProvider<Provider>[] = [];
  const links: TreeLink[] = [];
  let y = 0;
  const place = (provider: Provider, level: number): PlacedProvider<Provider> => {
    const x = level * INDENT;
    const placed = { provider, x, y, width: width - x, height: heightOf(provider) };
    providers.push(placed);
    y += placed.height + ROW_GAP;
    for (const child of tree.filter(({ parent }) => parent?.uuid === provider.uuid))
      links.push({ from: placed, to: place(child, level + 1), isSharing: false });
    return placed;
  };
  const root = place(tree[0], 0);
  for (const provider of sharing) links.push({ from: root, to: place(provider, 0), isSharing: true });
  return { width, height: y - ROW_GAP, providers, links };
}

function heightOf({ inventories, omittedChildren }: TreeProvider): number {
  const { rows, others } = slicesIn(inventories);
  const lines = rows.length + others.length + (omittedChildren ? 1 : 0);
  return HEAD + lines * INVENTORY + (lines > 0 ? 6 : 0);
}

interface Consuming {
  readonly inventories: readonly { readonly consumes: readonly unknown[] }[];
}

/** Marks the inventories of a provider that consume counters. */
export const withMarks = <Provider extends Consuming>(provider: Provider) => ({
  ...provider,
  inventories: provider.inventories.map((inventory: Provider['inventories'][number]) => ({
    ...inventory,
    consumesCounters: inventory.consumes.length > 0,
  })),
});

/**
 * Omits partitions, of which a device may have hundreds: leaves whose inventories all consume counters. Their parents
 * have the number of omitted children.
 *
 * @param kept the uuids of partitions that stay
 */
export function withoutPartitions<Provider extends TreeProvider>(
  tree: readonly Provider[],
  kept: { has(uuid: string): boolean },
): readonly Provider[] {
  const parents = new Set(tree.map(({ parent }) => parent?.uuid));
  const isOmitted = ({ uuid, inventories }: Provider): boolean =>
    !kept.has(uuid) &&
    !parents.has(uuid) &&
    inventories.length > 0 &&
    inventories.every(({ consumesCounters }) => consumesCounters);
  const omitted = new Map<string | undefined, number>();
  for (const provider of tree.filter(isOmitted))
    omitted.set(provider.parent?.uuid, (omitted.get(provider.parent?.uuid) ?? 0) + 1);
  if (omitted.size === 0) return tree;
  return tree
    .filter((provider) => !isOmitted(provider))
    .map((provider) => ({ ...provider, omittedChildren: omitted.get(provider.uuid) }));
}

class TreePlacer<Provider extends TreeProvider> {
  readonly providers: PlacedProvider<Provider>[] = [];
  readonly links: TreeLink[] = [];
  /** The top of the next box without children. */
  bottom = 0;
  private readonly children = new Map<string, Provider[]>();
  private readonly widths: readonly number[];

  constructor(
    tree: readonly Provider[],
    sharing: readonly Provider[],
    widthOf: (resourceClass: string) => number,
  ) {
    for (const provider of tree) {
      if (!provider.parent) continue;
      const siblings = this.children.get(provider.parent.uuid);
      if (siblings) siblings.push(provider);
      else this.children.set(provider.parent.uuid, [provider]);
    }
    const width = (providers: readonly Provider[]): number => {
      const labels = providers.flatMap(({ inventories }) => {
        const { rows, others } = slicesIn(inventories);
        return [...rows.map(({ label }) => label), ...others.map(({ resourceClass }) => resourceClass.name)];
      });
      const widest = Math.max(0, ...labels.map(widthOf));
      return Math.min(Math.max(Math.ceil(widest) + BESIDE_CLASS, LEAST_WIDTH), GREATEST_WIDTH);
    };
    const levels = this.levelsFrom([tree[0]]);
    this.widths = levels.map((level, depth) => width(depth === 0 ? [...level, ...sharing] : level));
  }

  private levelsFrom(level: readonly Provider[]): readonly (readonly Provider[])[] {
    if (level.length === 0) return [];
    return [level, ...this.levelsFrom(level.flatMap(({ uuid }) => this.children.get(uuid) ?? []))];
  }

  place(provider: Provider, level: number): PlacedProvider<Provider> {
    const top = this.bottom;
    const height = heightOf(provider);
    const below = (this.children.get(provider.uuid) ?? []).map((child) => this.place(child, level + 1));
    const middle = below.length > 0 ? (centreOf(below[0]) + centreOf(below.at(-1)!)) / 2 : top + height / 2;
    const y = Math.max(top, middle - height / 2);
    const left = this.widths.slice(0, level).reduce((sum, width) => sum + width + COLUMN_GAP, 0);
    const placed = { provider, x: left, y, width: this.widths[level], height };
    this.bottom = Math.max(this.bottom, y + height + ROW_GAP);
    this.providers.push(placed);
    this.links.push(...below.map((to) => ({ from: placed, to, isSharing: false })));
    return placed;
  }
}

export const centreOf = ({ y, height }: PlacedProvider): number => y + height / 2;
