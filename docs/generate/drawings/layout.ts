import type { Picture, Provider } from './answers.js';

const CHARACTER = 7.3;
const PADDING = 12;
const LINE = 18;
const GAP = { x: 24, y: 40 };
export const MARGIN = 16;

export interface Box {
  readonly provider: Provider;
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An aggregate as a line below the trees, with a dot for each root that is in it. */
export interface AggregateLine {
  readonly name: string;
  readonly y: number;
  readonly dots: readonly number[];
}

export interface Layout {
  readonly boxes: readonly Box[];
  readonly edges: readonly { readonly from: Box; readonly to: Box }[];
  readonly aggregates: readonly AggregateLine[];
  readonly width: number;
  readonly height: number;
}

const labelOfAggregate = ({ uuid, name }: Provider['aggregates'][number]): string => name ?? uuid;

const middle = ({ x, width }: Box): number => x + width / 2;

/** Puts the trees side by side, each provider above its children. */
export function layoutOf({ trees, parts }: Picture): Layout {
  const given = new Map(
    parts.map(({ provider, groups, amounts }) => [
      provider,
      amounts.map(({ resourceClass, amount }) => `takes ${amount} ${resourceClass.name}${labelOf(groups)}`),
    ]),
  );
  const names = [...new Set(trees.flatMap(([root]) => root.aggregates.map(labelOfAggregate)))].sort();
  const labels = Math.max(0, ...names.map((name) => name.length)) * CHARACTER;
  const boxes: Box[] = [];
  let x = MARGIN + (labels > 0 ? labels + GAP.x : 0);
  for (const [root, ...others] of trees) {
    const placed = place(root, others, given, x, MARGIN);
    boxes.push(...placed.boxes);
    x = placed.end + GAP.x;
  }
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  const aggregates = names.map((name, at) => ({
    name,
    y: bottom + LINE * (at + 1.5),
    dots: boxes
      .filter(({ provider }) => provider.aggregates.some((each) => labelOfAggregate(each) === name))
      .map(middle),
  }));
  return {
    boxes,
    edges: boxes.flatMap((to) => {
      const from = boxes.find(({ provider }) => provider.name === to.provider.parent?.name);
      return from ? [{ from, to }] : [];
    }),
    aggregates,
    width: x - GAP.x + MARGIN,
    height: (aggregates.at(-1)?.y ?? bottom) + MARGIN,
  };
}

const labelOf = (groups: readonly string[]): string =>
  groups
    .filter(Boolean)
    .map((group) => ` for ${group}`)
    .join();

/** A provider and what is below it, from `x` on; the last box is the provider's own. */
function place(
  provider: Provider,
  others: readonly Provider[],
  given: ReadonlyMap<string, readonly string[]>,
  x: number,
  y: number,
): { boxes: Box[]; end: number } {
  const lines = [
    ...provider.inventories.map(
      ({ resourceClass, capacity, used }) => `${resourceClass.name} ${used ? `${used} of ` : ''}${capacity}`,
    ),
    ...provider.traits.map(({ name }) => name),
    ...(given.get(provider.name) ?? []),
  ];
  const width =
    Math.max(provider.name.length, ...lines.map(({ length }) => length)) * CHARACTER + 2 * PADDING;
  const height = (lines.length + 1) * LINE + PADDING;
  const boxes: Box[] = [];
  let end = x;
  for (const child of others.filter(({ parent }) => parent?.name === provider.name)) {
    const below = place(child, others, given, boxes.length === 0 ? x : end + GAP.x, y + height + GAP.y);
    boxes.push(...below.boxes);
    end = below.end;
  }
  const left = Math.max(x, (x + end - width) / 2);
  return {
    boxes: [...boxes, { provider, lines, x: left, y, width, height }],
    end: Math.max(end, left + width),
  };
}
