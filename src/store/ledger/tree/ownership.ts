import { groupBy } from '../../../model/collections.js';
import {
  columns,
  deletionFrom,
  insertion,
  matching,
  read,
  select,
  type Column,
} from '../../sql/statements.js';
import { batches, COMPARED_AT_ONCE, type Transaction } from '../transaction.js';

/** The parts of a provider that have an owner. PROVIDER is the provider itself, with its name and its parent. */
export type OwnedKind = 'PROVIDER' | 'INVENTORY' | 'TRAIT' | 'AGGREGATE';

/** A row of placement_ownerships. */
export interface Ownership {
  readonly providerId: number;
  readonly kind: OwnedKind;
  /** The id of the resource class, trait or aggregate; 0 for PROVIDER. */
  readonly objectId: number;
  readonly owner: string;
}

const o = columns('placement_ownerships');
const ROW = {
  providerId: o.provider_id,
  kind: o.kind as Column<OwnedKind>,
  objectId: o.object_id,
  owner: o.owner,
};
const OF_PROVIDERS = select(ROW, `FROM placement_ownerships WHERE ${o.provider_id} IN (?)`);
const INSERT = insertion('placement_ownerships', ['provider_id', 'kind', 'object_id', 'owner']);

/** The owners of stored providers and of their parts. */
export class Owners {
  private readonly owners = new Map<string, string>();
  private readonly byProvider: ReadonlyMap<number, readonly Ownership[]>;

  private constructor(rows: readonly Ownership[]) {
    this.byProvider = groupBy(rows, ({ providerId }) => providerId);
    for (const row of rows) this.owners.set(keyOf(row), row.owner);
  }

  static async read(tx: Transaction, providerIds: readonly number[]): Promise<Owners> {
    return new Owners(providerIds.length === 0 ? [] : await read(tx, OF_PROVIDERS, [providerIds]));
  }

  /** Returns null if nobody owns the part. */
  of(providerId: number, kind: OwnedKind, objectId = 0): string | null {
    return this.owners.get(keyOf({ providerId, kind, objectId })) ?? null;
  }

  /** Returns the rows of a kind of a provider. */
  partsOf(providerId: number, kind?: OwnedKind): readonly Ownership[] {
    const rows = this.byProvider.get(providerId) ?? [];
    return kind === undefined ? rows : rows.filter((row) => row.kind === kind);
  }
}

function keyOf({ providerId, kind, objectId }: Omit<Ownership, 'owner'>): string {
  return `${providerId} ${kind} ${objectId}`;
}

/** Writes the owner of parts that had none. If a concurrent writer claims one first, the duplicate key is a conflict. */
export async function claimParts(tx: Transaction, rows: readonly Ownership[]): Promise<void> {
  for (const batch of batches(rows))
    await tx.query(
      ...INSERT(batch.map(({ providerId, kind, objectId, owner }) => [providerId, kind, objectId, owner])),
    );
}

export async function releaseParts(tx: Transaction, rows: readonly Ownership[]): Promise<void> {
  for (const batch of batches(rows, COMPARED_AT_ONCE)) {
    const keys = batch.map(({ providerId, kind, objectId }) => [providerId, kind, objectId]);
    const { text, values } = matching([o.provider_id, o.kind, o.object_id], keys);
    await tx.query(`${deletionFrom('placement_ownerships')} WHERE ${text}`, values);
  }
}

const a = columns('allocations');
const USED = select(
  { providerId: a.resource_provider_id, classId: a.resource_class_id },
  `FROM allocations WHERE ${a.resource_provider_id} IN (?)
   GROUP BY ${a.resource_provider_id}, ${a.resource_class_id}`,
);

/** The used providers and resource classes among some providers. */
export class UsedParts {
  private readonly providers = new Set<number>();
  private readonly classes = new Set<string>();

  static async read(tx: Transaction, providerIds: readonly number[]): Promise<UsedParts> {
    const used = new UsedParts();
    for (const { providerId, classId } of providerIds.length === 0
      ? []
      : await read(tx, USED, [providerIds])) {
      used.providers.add(providerId);
      used.classes.add(`${providerId} ${classId}`);
    }
    return used;
  }

  has(providerId: number, classId?: number): boolean {
    return classId === undefined
      ? this.providers.has(providerId)
      : this.classes.has(`${providerId} ${classId}`);
  }
}
