import type { ConsumerAllocationsInput } from './allocationInput.js';
import type { StoredAllocation } from './allocationRows.js';
import type { ConsumerRow } from './consumerRows.js';
import { namesOf, namesWanted, type NameRow, type NamesUsed } from './namesUsed.js';
import type { Transaction } from '../transaction.js';

/** What is stored about the consumers that writes name. */
export interface ConsumerRecords {
  readonly names: NamesUsed;
  /** By uuid; those that do not exist are left out. */
  readonly stored: ReadonlyMap<string, ConsumerRow>;
  /** Every allocation of the consumers, the oldest first, also where a consumer's own row is missing. */
  readonly named: readonly StoredAllocation[];
}

type Row =
  | NameRow
  | {
      readonly kind: 'consumers';
      readonly id: number;
      readonly name: string | null;
      readonly consumer: string;
      readonly a: number;
      readonly b: number;
      readonly c: number;
      readonly d: number | null;
    }
  | {
      readonly kind: 'allocations';
      readonly id: number;
      readonly holder: string;
      readonly a: number;
      readonly b: number;
      readonly c: number;
    };

/**
 * Reads the consumers, what they have, and every class, project, user and type that they name, and more classes if asked: in
 * one statement, so that a consumer's generation is as old as its allocations.
 */
export async function readConsumerRecords(
  tx: Transaction,
  inputs: readonly ConsumerAllocationsInput[],
  moreClasses: readonly string[] = [],
): Promise<ConsumerRecords> {
  const wanted = namesWanted(inputs, moreClasses);
  const consumers = listed(new Set(inputs.map(({ consumer }) => consumer)));
  const rows = await tx.query<Row[]>(READ, [
    listed(wanted.classes),
    listed(wanted.projects),
    listed(wanted.users),
    listed(wanted.consumer_types),
    consumers,
    consumers,
  ]);
  const found: NameRow[] = [];
  const stored = new Map<string, ConsumerRow>();
  const named: StoredAllocation[] = [];
  for (const row of rows) {
    if (row.kind === 'consumers') {
      const { id, consumer: uuid, a: generation, b: projectId, c: userId, d: consumerTypeId, name } = row;
      stored.set(uuid, { id, uuid, generation, projectId, userId, consumerTypeId, consumerType: name });
    } else if (row.kind === 'allocations') {
      const { id, holder: consumer, a: providerId, b: classId, c: used } = row;
      named.push({ id, consumer, providerId, classId, used });
    } else {
      found.push(row);
    }
  }
  named.sort((one, other) => one.id - other.id);
  return { names: await namesOf(tx, wanted, found), stored, named };
}

/** Texts of different tables have columns of their own, because their collations may differ. */
const READ = `
  SELECT 'classes' AS kind, id, name, NULL AS consumer, NULL AS holder, NULL AS a, NULL AS b, NULL AS c, NULL AS d
    FROM resource_classes WHERE name IN (?)
  UNION ALL SELECT 'projects', id, external_id, NULL, NULL, NULL, NULL, NULL, NULL
    FROM projects WHERE external_id IN (?)
  UNION ALL SELECT 'users', id, external_id, NULL, NULL, NULL, NULL, NULL, NULL FROM users WHERE external_id IN (?)
  UNION ALL SELECT 'consumer_types', id, name, NULL, NULL, NULL, NULL, NULL, NULL
    FROM consumer_types WHERE name IN (?)
  UNION ALL SELECT 'consumers', c.id, t.name, c.uuid, NULL, c.generation, c.project_id, c.user_id, c.consumer_type_id
    FROM consumers c LEFT JOIN consumer_types t ON t.id = c.consumer_type_id WHERE c.uuid IN (?)
  UNION ALL SELECT 'allocations', id, NULL, NULL, consumer_id, resource_provider_id, resource_class_id, used, NULL
    FROM allocations WHERE consumer_id IN (?)`;

/** For an IN (?), which cannot be empty. */
function listed(values: ReadonlySet<string>): (string | null)[] {
  return values.size > 0 ? [...values] : [null];
}
