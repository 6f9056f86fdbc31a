/** Stands for the catalog of traits and resource classes among the ids of changed providers. */
export const CATALOG = 0;

/** The kind of a row of the feed: see prisma/schema.prisma. */
export type RowKind = 'PROVIDER' | 'CONSUMER' | 'CATALOG' | 'HEARTBEAT' | 'RESET';

export interface RowId {
  readonly kind: RowKind;
  readonly objectId: number;
}

/** An object as it was before a transaction that deletes it or moves it: a provider to another tree, or a consumer to another project. */
export type Former<Owner extends 'rootId' | 'projectId'> = Readonly<
  { id: number; uuid: string } & Record<Owner, number>
>;

/** The changes of one transaction, which become its rows in the feed. */
export class RecordedChanges {
  /** The changed parts of each provider, by its id. {@link CATALOG} stands for the catalog. */
  readonly providers = new Map<number, KindSet>();
  /** The providers that are deleted or leave their tree, by id. */
  readonly leaving = new Map<number, Former<'rootId'>>();
  readonly newConsumers = new Set<string>();
  readonly consumers = new Set<number>();
  /** The consumers that are deleted or leave their project, by id. */
  readonly leavingConsumers = new Map<number, Former<'projectId'>>();
  /** The usage changes of providers without other changes, by id. */
  usage: ReadonlyMap<number, UsageChange> = new Map();
  /** The version of the quotas after a transaction that changes them. Null for all others. */
  quotas: number | null = null;

  addProviders(ids: Iterable<number>, kinds: KindSet): void {
    for (const id of ids) this.providers.set(id, (this.providers.get(id) ?? 0) | kinds);
  }

  addLeaving(providers: Iterable<Former<'rootId'>>, kinds: KindSet): void {
    for (const { id, uuid, rootId } of providers) {
      this.addProviders([id], kinds);
      this.leaving.set(id, { id, uuid, rootId });
    }
  }

  addLeavingConsumers(consumers: Iterable<Former<'projectId'>>): void {
    for (const { id, uuid, projectId } of consumers) {
      this.consumers.add(id);
      this.leavingConsumers.set(id, { id, uuid, projectId });
    }
  }

  /** An upper bound of the number of rows. */
  get size(): number {
    return this.providers.size + this.consumers.size + this.newConsumers.size;
  }

  /** A row that the transaction certainly writes. Undefined if nothing changed. */
  get anyRow(): RowId | undefined {
    const [provider] = this.leaving.size > 0 ? this.leaving.keys() : this.providers.keys();
    if (provider === CATALOG) return { kind: 'CATALOG', objectId: CATALOG };
    if (provider !== undefined) return { kind: 'PROVIDER', objectId: provider };
    const [consumer] = this.leavingConsumers.size > 0 ? this.leavingConsumers.keys() : this.consumers;
    return consumer === undefined ? undefined : { kind: 'CONSUMER', objectId: consumer };
  }
}

/** Changes of a provider. The index is the bit in the column `changes`, so append new kinds. */
const CHANGE_KINDS = [
  'CREATED',
  'DELETED',
  'MOVED',
  'RENAMED',
  'INVENTORY',
  'USAGE',
  'TRAITS',
  'AGGREGATES',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A set of kinds, as the column stores it. */
export type KindSet = number;

export function kindSet(...kinds: readonly ChangeKind[]): KindSet {
  return kinds.reduce((set, kind) => set | bitOf(kind), 0);
}

/** For an existing provider that was changed in an unknown way. */
export const ANY_CHANGE: KindSet = kindSet('MOVED', 'RENAMED', 'INVENTORY', 'USAGE', 'TRAITS', 'AGGREGATES');
/** For a new provider whose initial contents are unknown. */
export const NEW_WITH_ANYTHING: KindSet = kindSet('CREATED', 'INVENTORY', 'USAGE', 'TRAITS', 'AGGREGATES');

/** Returns the kinds of a change from the stored ones. A new provider was not moved or renamed. */
export function kindsOf(stored: KindSet, isDeleted: boolean): KindSet {
  if (isDeleted) return kindSet('DELETED');
  return hasAny(stored, kindSet('CREATED')) ? stored & ~kindSet('MOVED', 'RENAMED') : stored;
}

export function hasAny(set: KindSet, wanted: KindSet): boolean {
  return (set & wanted) !== 0;
}

export function kindsIn(set: KindSet): ChangeKind[] {
  return CHANGE_KINDS.filter((kind) => hasAny(set, bitOf(kind)));
}

function bitOf(kind: ChangeKind): KindSet {
  return 1 << CHANGE_KINDS.indexOf(kind);
}

export interface UsageChange {
  readonly id: number;
  /** The generation after the transaction. */
  readonly generation: number;
  /** By how much the transaction increased the generation. */
  readonly steps: number;
  /** The provider's time of change after the transaction (s). Null if version 1.0.0 wrote the row. */
  readonly updatedAt: number | null;
  /** The change of the usage of each resource class. */
  readonly amounts: readonly (readonly [classId: number, amount: number])[];
}

/** The usage changes of one transaction, without providers that it also changed in other ways. */
export interface UsageCommit {
  readonly writerId: number;
  readonly seq: number;
  readonly providers: readonly UsageChange[];
}

/** Returns the part of a commit that concerns wanted providers; empty if there is none. */
export function usageOf(commit: UsageCommit, isWanted: (id: number) => boolean): UsageCommit[] {
  const providers = commit.providers.filter(({ id }) => isWanted(id));
  return providers.length > 0 ? [{ ...commit, providers }] : [];
}

export function providersIn(commits: readonly UsageCommit[]): number[] {
  return commits.flatMap(({ providers }) => providers.map(({ id }) => id));
}

/** The length of the column `usage_change`. */
const MAX_TEXT = 255;

/**
 * The column `usage_change`: the steps, each amount and the time, such as `1 0:4 2:-20 @1795722157`. Null if that is
 * too long. Version 1.0.0 ignores the time.
 */
export function usageText({
  steps,
  amounts,
  updatedAt,
}: Omit<UsageChange, 'id' | 'generation'>): string | null {
  const text = [steps, ...amounts.map(([classId, amount]) => `${classId}:${amount}`), `@${updatedAt}`].join(
    ' ',
  );
  return text.length > MAX_TEXT ? null : text;
}

export function usageChangeOf(id: number, generation: number, text: string): UsageChange {
  const [said, updatedAt] = text.split(' @');
  const [steps, ...amounts] = said.split(' ');
  return {
    id,
    generation,
    steps: Number(steps),
    updatedAt: updatedAt === undefined ? null : Number(updatedAt),
    amounts: amounts.map((each) => {
      const colon = each.indexOf(':');
      return [Number(each.slice(0, colon)), Number(each.slice(colon + 1))] as const;
    }),
  };
}
