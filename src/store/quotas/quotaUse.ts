import {
  caseOf,
  columns,
  deletionFrom,
  insertion,
  matching,
  read,
  selectKinds,
  storable,
  updateOf,
} from '../sql/statements.js';
import { QuotaExceeded } from '../../model/rejections.js';
import {
  batches,
  COMPARED_AT_ONCE,
  QuotasChanged,
  WriteConflict,
  type Transaction,
} from '../ledger/transaction.js';
import {
  CONSUMER_COUNT,
  quotaKey,
  type OwnerKind,
  type QuotaDefinitions,
  type QuotaKey,
} from './definitions.js';

/** A consumer before or after a write, as quotas count it. */
export interface CountedConsumer {
  /** The id of the project, or the name of a project that does not exist yet. */
  readonly project: number | string;
  readonly type: string | null;
  /** Whether `keepOldAs` has created or creates the consumer. */
  readonly isKept: boolean;
  readonly amounts: readonly { readonly classId: number; readonly used: number }[];
}

/** A stored consumer and its duplicates (decision D24). */
interface StoredConsumer {
  readonly id: number;
  readonly projectId: number;
  readonly duplicates: readonly Omit<StoredConsumer, 'duplicates'>[];
}

/** How a write changes the counted usage of a limited owner. */
interface UsageDelta extends Omit<QuotaKey, 'ownerId'> {
  /** A name stands for a project that the write creates. */
  readonly ownerId: number | string;
  readonly delta: number;
  readonly limit: number;
  /** The name of the group. Null for a project. */
  readonly group: string | null;
}

/** A counted usage as a transaction has read it. */
interface UsageRow extends QuotaKey {
  readonly id: number;
  readonly used: number;
  readonly version: number;
}

const u = columns('placement_quota_usages', 'u');
const m = columns('placement_quota_group_projects', 'm');
const p = columns('projects', 'p');
const c = columns('consumers', 'c');
const k = columns('placement_kept_consumers', 'k');
const s = columns('placement_quota_state', 's');

const USAGE = {
  id: u.id,
  ownerKind: u.owner_kind,
  ownerId: u.owner_id,
  classId: u.class_id,
  used: u.used,
  version: u.version,
};
const READ = { state: { version: s.version }, project: USAGE };
const READ_TEXTS = {
  state: `FROM placement_quota_state s WHERE ${s.id} = 1`,
  project: `FROM projects p STRAIGHT_JOIN placement_quota_usages u
              ON ${u.owner_kind} = 'PROJECT' AND ${u.owner_id} = ${p.id} WHERE ${p.external_id} IN (?)`,
};
const BY_NAMES = selectKinds(READ, READ_TEXTS);
const BY_NAMES_WITH_GROUPS = selectKinds(
  { ...READ, group: USAGE },
  {
    ...READ_TEXTS,
    group: `FROM projects p STRAIGHT_JOIN placement_quota_group_projects m ON ${m.project_id} = ${p.id}
            STRAIGHT_JOIN placement_quota_usages u ON ${u.owner_kind} = 'GROUP' AND ${u.owner_id} = ${m.group_id}
            WHERE ${p.external_id} IN (?)`,
  },
);
const OF_STORED = selectKinds(
  { project: USAGE, group: USAGE, kept: { id: k.consumer_id } },
  {
    project: `FROM placement_quota_usages u WHERE ${u.owner_kind} = 'PROJECT' AND ${u.owner_id} IN (?)`,
    group: `FROM placement_quota_usages u WHERE ${u.owner_kind} = 'GROUP' AND ${u.owner_id} IN (?)`,
    kept: `FROM placement_kept_consumers k WHERE ${k.consumer_id} IN (?)`,
  },
);

/** Ids begin with 1. */
const NO_GROUP = 0;

/** Reads the counted usage of these projects and of their groups. */
export async function readQuotaUse(tx: Transaction, projects: Iterable<string>): Promise<QuotaUse | null> {
  const { quotas } = tx;
  if (quotas === null) return null;
  const names = await storable(tx, 'projects', [...new Set(projects)]);
  const wanted = names.size > 0 ? [...names] : [''];
  const found = quotas.hasGroups
    ? await read(tx, BY_NAMES_WITH_GROUPS, [wanted, wanted])
    : await read(tx, BY_NAMES, [wanted]);
  const use = new QuotaUse(quotas);
  for (const row of found) {
    if (row.kind !== 'state') use.add(row);
    // a rejection is never committed, so the change feed does not compare its version
    else if (row.version !== quotas.version) throw new QuotasChanged('the quotas have changed');
  }
  return use;
}

/** The counted usage of the owners of a transaction, with the changes of the claims that were accepted so far. */
export class QuotaUse {
  /** The ids of the consumers that `keepOldAs` has created. */
  readonly kept = new Set<number>();
  private readonly rows = new Map<string, UsageRow>();
  /** The changes of all accepted claims, by the key of the owner and class. */
  private readonly changes = new Map<string, UsageDelta>();
  /** Of the claims. Null: nothing is checked. */
  private classNameOf: ((id: number) => string) | null = null;

  constructor(private readonly quotas: QuotaDefinitions) {}

  /** Adds the counted usage of an owner. */
  add(row: Omit<UsageRow, 'ownerKind'> & { readonly ownerKind: string }): void {
    const usage = { ...row, used: Number(row.used), ownerKind: row.ownerKind as OwnerKind };
    this.rows.set(quotaKey(usage), usage);
  }

  /** Reads the counted usage of the projects of stored consumers, which a write changes. */
  async readStored(tx: Transaction, consumers: Iterable<StoredConsumer>): Promise<void> {
    const stored = Array.from(consumers).flatMap((one) => [one, ...one.duplicates]);
    if (stored.length === 0) return;
    const projects = [...new Set(stored.map(({ projectId }) => projectId))];
    const groups = projects.map((project) => this.quotas.groupOf(project)?.id ?? NO_GROUP);
    for (const row of await read(tx, OF_STORED, [projects, groups, stored.map(({ id }) => id)]))
      if (row.kind === 'kept') this.kept.add(row.id);
      else this.add(row);
  }

  /** Counts a change without a check, for writes that are never rejected. */
  count(before: readonly CountedConsumer[], after: readonly CountedConsumer[]): void {
    this.apply(this.deltas(before, after));
  }

  /**
   * Checks the owners whose usage the change raises, and counts it.
   *
   * @throws QuotaExceeded for the first limit that the usage would exceed; nothing is then counted
   */
  claim(
    before: readonly CountedConsumer[],
    after: readonly CountedConsumer[],
    nameOf: { project(id: number | string): string; class(id: number): string },
  ): void {
    const deltas = this.deltas(before, after);
    this.classNameOf = (id) => nameOf.class(id);
    for (const each of deltas) {
      const { delta, limit, classId, group, ownerId } = each;
      const used = this.usedBy(each);
      if (delta <= 0 || used + delta <= limit) continue;
      const resourceClass = classId === CONSUMER_COUNT ? null : nameOf.class(classId);
      const project = group === null ? nameOf.project(ownerId) : null;
      throw new QuotaExceeded(resourceClass, limit, used, delta, project, group);
    }
    this.apply(deltas);
  }

  /**
   * Stores the counted changes by compare-and-set. Call it after the writes of providers and consumers, which create
   * the projects.
   *
   * @throws QuotaExceeded if claims have created one project under several names, which its table takes for equal
   */
  write(tx: Transaction, projectId: (name: string) => number): void {
    const changed: { readonly row: UsageRow; readonly used: number }[] = [];
    const added = new Map<string, QuotaKey & { readonly used: number }>();
    for (const change of this.changes.values()) {
      if (change.delta === 0) continue;
      const { ownerKind, classId, delta } = change;
      const ownerId = typeof change.ownerId === 'string' ? projectId(change.ownerId) : change.ownerId;
      const key = quotaKey({ ownerKind, ownerId, classId });
      const row = this.rows.get(key);
      if (row !== undefined) changed.push({ row, used: Math.max(0, row.used + delta) });
      else if (delta > 0) {
        const earlier = added.get(key)?.used ?? 0;
        if (earlier > 0 && earlier + delta > change.limit && this.classNameOf !== null) {
          const resourceClass = classId === CONSUMER_COUNT ? null : this.classNameOf(classId);
          throw new QuotaExceeded(resourceClass, change.limit, earlier, delta, String(change.ownerId), null);
        }
        added.set(key, { ownerKind, ownerId, classId, used: earlier + delta });
      }
    }
    writeUsages(tx, changed, [...added.values()]);
  }

  private usedBy(owner: Omit<UsageDelta, 'delta'>): number {
    const key = keyOf(owner);
    return (this.rows.get(key)?.used ?? 0) + (this.changes.get(key)?.delta ?? 0);
  }

  private apply(deltas: readonly UsageDelta[]): void {
    for (const each of deltas) {
      const key = keyOf(each);
      this.changes.set(key, { ...each, delta: (this.changes.get(key)?.delta ?? 0) + each.delta });
    }
  }

  /** Returns the changes of limited owners. The limits of a project come before those of its group. */
  private deltas(before: readonly CountedConsumer[], after: readonly CountedConsumer[]): UsageDelta[] {
    const deltas = new Map<string, UsageDelta>();
    const add = (owner: Omit<UsageDelta, 'delta' | 'limit'>, amount: number): void => {
      const { ownerKind, ownerId, classId } = owner;
      const limit =
        typeof ownerId === 'string'
          ? this.quotas.defaultOf(classId)
          : this.quotas.limitOf({ ownerKind, ownerId, classId });
      if (limit === undefined) return;
      const key = keyOf(owner);
      deltas.set(key, { ...owner, limit, delta: (deltas.get(key)?.delta ?? 0) + amount });
    };
    const addConsumer = (consumer: CountedConsumer, sign: 1 | -1): void => {
      const { project, type, isKept } = consumer;
      if (isKept || (type !== null && this.quotas.ignoredTypes.has(type))) return;
      const group = typeof project === 'number' ? this.quotas.groupOf(project) : undefined;
      for (const { classId, used } of [{ classId: CONSUMER_COUNT, used: 1 }, ...consumer.amounts]) {
        if (!this.quotas.classIds.has(classId)) continue;
        add({ ownerKind: 'PROJECT', ownerId: project, classId, group: null }, sign * used);
        if (group) add({ ownerKind: 'GROUP', ownerId: group.id, classId, group: group.name }, sign * used);
      }
    };
    for (const consumer of before) addConsumer(consumer, -1);
    for (const consumer of after) addConsumer(consumer, 1);
    const isGroup = ({ ownerKind }: UsageDelta): number => Number(ownerKind === 'GROUP');
    return [...deltas.values()].sort((one, other) => isGroup(one) - isGroup(other));
  }
}

function keyOf({
  ownerKind,
  ownerId,
  classId,
}: Omit<QuotaKey, 'ownerId'> & Pick<UsageDelta, 'ownerId'>): string {
  return typeof ownerId === 'number'
    ? quotaKey({ ownerKind, ownerId, classId })
    : `NEW ${classId} ${ownerId}`;
}

const own = columns('placement_quota_usages');
const INSERT = insertion('placement_quota_usages', ['owner_kind', 'owner_id', 'class_id', 'used', 'version']);

/** Writes counted usages in the order of their ids, then new ones. Throws WriteConflict after a concurrent change. */
export function writeUsages(
  tx: Transaction,
  changed: readonly { readonly row: Pick<UsageRow, 'id' | 'version'>; readonly used: number }[],
  added: readonly (QuotaKey & { readonly used: number })[],
): void {
  const inOrder = [...changed].sort((one, other) => one.row.id - other.row.id);
  for (const batch of batches(inOrder, COMPARED_AT_ONCE)) {
    const condition = matching(
      [own.id, own.version],
      batch.map(({ row }) => [row.id, row.version]),
    );
    const set = `${own.used} = ${caseOf(own.id, batch.length)}, ${own.version} = ${own.version} + 1`;
    tx.send(
      `${updateOf('placement_quota_usages')} SET ${set} WHERE ${condition.text} ORDER BY ${own.id}`,
      [...batch.flatMap(({ row, used }) => [row.id, used]), ...condition.values],
      ({ affectedRows }) => {
        if (affectedRows !== batch.length)
          throw new WriteConflict('a counted usage was changed concurrently');
      },
    );
  }
  for (const batch of batches(added)) {
    const rows = batch.map((each) => [each.ownerKind, each.ownerId, each.classId, each.used, 0] as const);
    tx.send(...INSERT(rows));
  }
}

const KEEP = `INSERT IGNORE INTO placement_kept_consumers (consumer_id, created_at)
  SELECT ${c.id}, ? FROM consumers c WHERE ${c.uuid} IN (?)`;
const { consumer_id: KEPT } = columns('placement_kept_consumers');
const UNKEEP = `${deletionFrom('placement_kept_consumers')} WHERE ${KEPT} IN (?)`;

/** Marks the consumers of this transaction that keep former allocations of others. */
export function markKept(tx: Transaction, created: readonly string[]): void {
  for (const batch of batches(created)) tx.send(KEEP, [tx.now, batch]);
}

/** Removes the marks of consumers that this transaction deletes. */
export function unmarkKept(tx: Transaction, deletedIds: readonly number[]): void {
  for (const batch of batches(deletedIds)) tx.send(UNKEEP, [batch]);
}
