import { capacity } from '../oracle/capacity.js';
import { candidateKey, type Answer, type Candidate } from '../support/answers.js';
import type { CaseRequest } from '../support/caseRequests.js';
import { SHARING, type Forest, type InventoryRecord, type ProviderRecord } from '../support/forest.js';

/** Two answers to one request about one fleet. */
export interface Compared {
  readonly forest: Forest;
  readonly request: CaseRequest;
  readonly ours: Answer;
  readonly theirs: Answer;
}

/** Why a candidate is in one answer alone: the rule or decision of docs/reference/rules.md by which this server differs. */
type Reason = 'D1' | 'D2' | 'rule 135' | 'rule 136' | 'rule 150' | 'rule 157' | 'rule 159';

interface Difference {
  readonly candidate: string;
  readonly reason: Reason | null;
}

/** The candidates that only one of the answers has, each with the rule that says so; null where none does. */
export function differences(compared: Compared): Difference[] {
  const { ours, theirs } = compared;
  const facts = new Facts(compared);
  const [here, there] = [ours, theirs].map(({ candidates }) => new Set(candidates.map(candidateKey)));
  const onlyOurs = ours.candidates.filter((each) => !there.has(candidateKey(each)));
  const onlyTheirs = theirs.candidates.filter((each) => !here.has(candidateKey(each)));
  return [
    ...onlyTheirs.map((each) => ({ candidate: `- ${candidateKey(each)}`, reason: facts.whyTheirs(each) })),
    ...onlyOurs.map((each) => ({ candidate: `+ ${candidateKey(each)}`, reason: facts.whyOurs(each) })),
  ];
}

class Facts {
  private readonly providers: ReadonlyMap<string, ProviderRecord>;
  private readonly names: ReadonlyMap<string, ProviderRecord>;

  constructor(private readonly compared: Compared) {
    const { providers } = compared.forest;
    this.providers = new Map(providers.map((each) => [each.uuid, each]));
    this.names = new Map(providers.map((each) => [each.name, each]));
  }

  /** Why the reference alone has it. */
  whyTheirs(candidate: Candidate): Reason | null {
    if (this.hasWrongSum(candidate)) return 'rule 159';
    if (this.leavesTree(candidate)) return 'rule 136';
    if (this.amounts(candidate).some(({ amount, record }) => !fitsUnits(record, amount))) return 'rule 157';
    return null;
  }

  /** Why this server alone has it. */
  whyOurs(candidate: Candidate): Reason | null {
    if (this.sharesAmounts()) return 'rule 159';
    if (this.amounts(candidate).some((each) => this.isStepped(each))) return 'D1';
    if (this.amounts(candidate).some((each) => this.isRounded(each))) return 'D2';
    if (this.hasNegativeGroup()) return 'rule 135';
    if (
      Object.values(candidate.mappings)
        .flat()
        .some((uuid) => this.isSharing(uuid))
    )
      return 'rule 150';
    return null;
  }

  /** The reference has added the amounts of one candidate to another's: it does not take what the request asks for. */
  private hasWrongSum({ allocations }: Candidate): boolean {
    const sums = new Map<string, number>();
    const add = (resourceClass: string, amount: number): unknown =>
      sums.set(resourceClass, (sums.get(resourceClass) ?? 0) + amount);
    for (const classes of Object.values(allocations))
      for (const [resourceClass, amount] of Object.entries(classes)) add(resourceClass, amount);
    for (const { resources } of this.compared.request.groups)
      for (const [resourceClass, amount] of Object.entries(resources ?? {})) add(resourceClass, -amount);
    return [...sums.values()].some((sum) => sum !== 0);
  }

  /**
   * With isolation the reference keeps the amounts of the unsuffixed group in objects that several of its candidates share, and adds
   * to them what a granular group takes of the same provider and class: some candidates get wrong sums, and some are lost.
   */
  private sharesAmounts(): boolean {
    const { groupPolicy, groups } = this.compared.request;
    const classesOf = (has: (suffix: string) => boolean): string[] =>
      groups.filter(({ suffix }) => has(suffix)).flatMap(({ resources }) => Object.keys(resources ?? {}));
    const granular = new Set(classesOf((suffix) => suffix !== ''));
    return (
      groupPolicy === 'isolate' && classesOf((suffix) => suffix === '').some((name) => granular.has(name))
    );
  }

  /** The reference looks at `in_tree` of groups with resources only. */
  private leavesTree({ mappings }: Candidate): boolean {
    return this.compared.request.groups.some(({ suffix, resources, inTree }) => {
      if (!inTree || Object.keys(resources ?? {}).length > 0) return false;
      const root = this.rootOf(this.names.get(inTree));
      return mappings[suffix].some((uuid) => this.rootOf(this.providers.get(uuid)) !== root);
    });
  }

  private rootOf(provider: ProviderRecord | undefined): string | undefined {
    return provider?.parent ? this.rootOf(this.names.get(provider.parent)) : provider?.name;
  }

  /** A group without resources that says only what is not wanted, or nothing: for the reference nobody serves it. */
  private hasNegativeGroup(): boolean {
    return this.compared.request.groups.some(
      ({ resources, required, memberOf }) =>
        Object.keys(resources ?? {}).length === 0 && !required?.length && !memberOf?.length,
    );
  }

  private isSharing(uuid: string): boolean {
    return this.providers.get(uuid)!.traits.includes(SHARING);
  }

  private amounts({ allocations }: Candidate): Amount[] {
    return Object.entries(allocations).flatMap(([uuid, classes]) =>
      Object.entries(classes).map(([resourceClass, amount]) => {
        const provider = this.providers.get(uuid)!;
        return { provider, resourceClass, amount, record: provider.inventories[resourceClass] };
      }),
    );
  }

  /** The reference wants each group's amount by itself to respect the units, and a minimum to be a multiple of the step. */
  private isStepped({ resourceClass, amount, record }: Amount): boolean {
    const parts = this.compared.request.groups.map(({ resources }) => resources?.[resourceClass]);
    return [amount, ...parts].some((part) => part !== undefined && !isMultiple(record, part));
  }

  /** It fits the capacity in decimal arithmetic, and not in binary floating point. */
  private isRounded({ provider, resourceClass, amount, record }: Amount): boolean {
    const used = this.compared.forest.allocations
      .filter((each) => each.provider === provider.name && each.resourceClass === resourceClass)
      .reduce((sum, each) => sum + each.used, 0);
    return used + amount <= capacity(record) && used + amount > floatingCapacity(record);
  }
}

interface Amount {
  readonly provider: ProviderRecord;
  readonly resourceClass: string;
  readonly amount: number;
  readonly record: InventoryRecord;
}

function isMultiple({ min_unit, max_unit, step_size }: InventoryRecord, amount: number): boolean {
  return amount >= min_unit && amount <= max_unit && amount % step_size === 0;
}

function fitsUnits(record: InventoryRecord, amount: number): boolean {
  return isMultiple(record, amount) || (amount === record.min_unit && amount <= record.max_unit);
}

function floatingCapacity({ total, reserved, allocation_ratio }: InventoryRecord): number {
  return Math.min((total - reserved) * allocation_ratio, (total - reserved) * Math.fround(allocation_ratio));
}
