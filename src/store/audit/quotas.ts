import { read, type Queryable } from '../sql/statements.js';
import { CONSUMER_COUNT, quotaKey, readDefinitions, type OwnerKind } from '../quotas/definitions.js';
import { ALL_OWNERS, recount } from '../quotas/recount.js';
import { ownersOf, wrongUsages, type WrongUsage } from '../quotas/reconcile.js';
import type { Transaction } from '../ledger/transaction.js';
import { BEFORE_ALL, type AuditKey, type AuditRule, type RuleFinding } from './rule.js';

/** The ids of classes begin at 0, and the number of consumers comes before them: a key has no negative number. */
function keyOf({ ownerId, classId }: WrongUsage): AuditKey {
  return [ownerId, classId - CONSUMER_COUNT];
}

/** Counted usage that differs from the allocations: another program has written them, and no server has corrected it yet. */
class WrongQuotaUsage implements AuditRule {
  readonly check = 'QUOTA_USAGE';

  constructor(private readonly kind: OwnerKind) {}

  async find(reader: Queryable, after: AuditKey, limit: number): Promise<RuleFinding[]> {
    const wrong = (await this.wrong(reader))
      .sort((one, other) => one.ownerId - other.ownerId || one.classId - other.classId)
      .filter((each) => isAfter(keyOf(each), after))
      .slice(0, limit);
    const names = await namesOf(reader, this.kind, wrong);
    return wrong.map((each) => {
      const resourceClass = names.classes.get(each.classId) ?? null;
      const owner = `${this.kind === 'GROUP' ? 'the group' : 'project'} ${names.owners.get(each.ownerId) ?? each.ownerId}`;
      const message = `${owner} has ${each.stored} ${resourceClass ?? 'consumers'} counted, and uses ${each.counted}`;
      return { key: keyOf(each), message, provider: null, consumer: null, resourceClass };
    });
  }

  async count(reader: Queryable): Promise<number> {
    return (await this.wrong(reader)).length;
  }

  /** Counts the usage of the owners again. */
  readonly repair = async (tx: Transaction, keys: readonly AuditKey[]): Promise<AuditKey[]> => {
    const wanted = keys.map(([ownerId, position]) => {
      return { ownerKind: this.kind, ownerId, classId: position + CONSUMER_COUNT };
    });
    const repaired = new Set((await recount(tx, await ownersOf(tx, wanted))).map(quotaKey));
    return keys.filter((_, at) => repaired.has(quotaKey(wanted[at])));
  };

  private async wrong(reader: Queryable): Promise<WrongUsage[]> {
    const wrong = await wrongUsages(reader, await readDefinitions(reader), ALL_OWNERS);
    return wrong.filter(({ ownerKind }) => ownerKind === this.kind);
  }
}

function isAfter([one, two]: AuditKey, after: AuditKey): boolean {
  return after === BEFORE_ALL || one > after[0] || (one === after[0] && two > after[1]);
}

async function namesOf(reader: Queryable, kind: OwnerKind, wrong: readonly WrongUsage[]) {
  const named = async (text: string, ids: readonly number[]): Promise<Map<number, string>> => {
    if (ids.length === 0) return new Map();
    const rows = await read<{ id: number; name: string }>(reader, { text: `${text} WHERE id IN (?)` }, [ids]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  };
  const owners =
    kind === 'GROUP'
      ? 'SELECT id, name FROM placement_quota_groups'
      : 'SELECT id, external_id AS name FROM projects';
  return {
    owners: await named(
      owners,
      wrong.map(({ ownerId }) => ownerId),
    ),
    classes: await named(
      'SELECT id, name FROM resource_classes',
      wrong.map(({ classId }) => classId),
    ),
  };
}

export const QUOTA_USAGES: readonly AuditRule[] = [
  new WrongQuotaUsage('PROJECT'),
  new WrongQuotaUsage('GROUP'),
];
