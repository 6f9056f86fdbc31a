import type { Entry, Json } from './answerEntries.js';

/** The parts of the fleet that candidate requests are made from. */
export interface ProviderFacts {
  readonly rootUuid: string;
  readonly inventories: ReadonlyMap<string, number>;
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
}

/** An amount that no provider has. */
const TOO_MUCH = 2 ** 31 - 1;

/** The minimum amount of an inventory that a request may name. */
function minAmountOf(inventory: Json): number {
  const { min_unit: minUnit, step_size: step } = inventory as { min_unit: number; step_size: number };
  return Math.ceil(minUnit / step) * step;
}

/** Collects requests of several kinds while providers are read. Holds a bounded number of each kind. */
export class CandidateSample {
  private readonly amounts = new Map<string, number>();
  private readonly byTrait = new Map<string, string>();
  private readonly byAggregate = new Map<string, string>();
  private readonly byTree = new Map<string, string>();

  /** @param size the maximum number of requests */
  constructor(private readonly size: number) {}

  add({ rootUuid, inventories, traits, aggregates }: ProviderFacts): void {
    for (const [name, amount] of inventories)
      if (!this.amounts.has(name)) this.keep(this.amounts, name, amount);
    const all = resources([...inventories]);
    const [first] = inventories;
    const one = first && resources([first]);
    for (const trait of traits) if (one) this.keep(this.byTrait, trait, one);
    for (const aggregate of aggregates) if (one) this.keep(this.byAggregate, aggregate, one);
    if (all !== '') this.keep(this.byTree, rootUuid, all);
  }

  private keep<Value>(kept: Map<string, Value>, key: string, value: Value): void {
    if (kept.size < this.size && !kept.has(key)) kept.set(key, value);
  }

  /** Returns the queries, of each kind in turn. */
  queries(version: number): string[] {
    const classes = [...this.amounts];
    const pairs = classes.flatMap((one, at) => classes.slice(at + 1).map((other) => resources([one, other])));
    const kinds = [
      classes.map((each) => resources([each])),
      pairs.slice(0, this.size),
      [...this.byTrait].flatMap(([trait, of]) => [
        `${of}&required=${trait}`,
        ...(version >= FORBIDDEN_TRAITS ? [`${of}&required=!${trait}`] : []),
      ]),
      [...this.byAggregate].map(([aggregate, of]) => `${of}&member_of=${aggregate}`),
      version >= IN_TREE ? [...this.byTree].map(([root, of]) => `${of}&in_tree=${root}`) : [],
      classes.slice(0, 1).map(([name]) => resources([[name, TOO_MUCH]])),
    ];
    const longest = Math.max(...kinds.map(({ length }) => length));
    const inTurn = Array.from({ length: longest }, (_, at) => kinds.flatMap((kind) => kind[at] ?? []));
    return inTurn.flat().slice(0, this.size);
  }
}

/** The minor versions with these conditions. */
const FORBIDDEN_TRAITS = 22;
const IN_TREE = 31;

function resources(amounts: readonly (readonly [name: string, amount: number])[]): string {
  if (amounts.length === 0) return '';
  return `resources=${amounts.map(([name, amount]) => `${name}:${amount}`).join(',')}`;
}

/** Collects the facts of one provider from the entries of its answers. */
export function factsOf(rootUuid: string, entries: readonly Entry[]): ProviderFacts {
  const of = (member: string) => entries.filter(({ path }) => path[0] === member && path.length === 2);
  return {
    rootUuid,
    inventories: new Map(of('inventories').map(({ path, value }) => [path[1], minAmountOf(value)])),
    traits: of('traits').map(({ path }) => path[1]),
    aggregates: of('aggregates').map(({ path }) => path[1]),
  };
}
