import { columns, read, write, type Queryable } from '../sql/statements.js';

/** Stands for the number of consumers in place of the id of a class. Ids of classes begin at 0. */
export const CONSUMER_COUNT = -1;

/** The default of the setting `quotas.ignoredTypes`. */
export const IGNORED_TYPES: readonly string[] = ['MIGRATION'];

/** The owner of a limit and of a counted usage. */
export type OwnerKind = 'PROJECT' | 'GROUP';

export interface QuotaKey {
  readonly ownerKind: OwnerKind;
  readonly ownerId: number;
  /** The id of a class, or {@link CONSUMER_COUNT}. */
  readonly classId: number;
}

/** Returns a string that is equal for equal keys. */
export function quotaKey({ ownerKind, ownerId, classId }: QuotaKey): string {
  return `${ownerKind} ${ownerId} ${classId}`;
}

interface GroupOfProject {
  readonly id: number;
  readonly name: string;
}

/** The owner id of the limits for projects without their own. */
export const NO_OWNER = 0;

/** A limit as it is stored. */
export interface QuotaRow {
  readonly ownerKind: OwnerKind | 'DEFAULT';
  /** {@link NO_OWNER} for DEFAULT. */
  readonly ownerId: number;
  readonly classId: number;
  readonly maxUsed: number;
}

/** The maximum number of limits and of projects in groups: each process holds all of them in memory. */
export const MAX_DEFINITIONS = 100_000;

/**
 * All limits and groups at one version. Each change of them increments the version, and no transaction commits that was
 * validated with another version (ADR 48). So a process may keep them in memory.
 */
export class QuotaDefinitions {
  /** The definitions of a database without limits. */
  static readonly NONE = new QuotaDefinitions(0, [], [], new Map());

  private readonly limits: ReadonlyMap<string, number>;
  private readonly defaults: ReadonlyMap<number, number>;
  private readonly groups: ReadonlyMap<number, GroupOfProject>;
  readonly ignoredTypes: ReadonlySet<string>;
  /** The classes with a limit of any owner. */
  readonly classIds: ReadonlySet<number>;
  /** Whether no owner has a limit. */
  readonly isEmpty: boolean;

  constructor(
    readonly version: number,
    rows: readonly QuotaRow[],
    ignoredTypes: readonly string[],
    /** The group of each project, by the id of the project. */
    groups: ReadonlyMap<number, GroupOfProject>,
  ) {
    const isDefault = ({ ownerKind }: QuotaRow): boolean => ownerKind === 'DEFAULT';
    this.limits = new Map(
      rows.filter((row) => !isDefault(row)).map((row) => [quotaKey(row as QuotaKey), row.maxUsed]),
    );
    this.defaults = new Map(rows.filter(isDefault).map(({ classId, maxUsed }) => [classId, maxUsed]));
    this.classIds = new Set(rows.map(({ classId }) => classId));
    this.isEmpty = rows.length === 0;
    this.ignoredTypes = new Set(ignoredTypes);
    this.groups = groups;
  }

  /** Returns the limit of an owner. Undefined: there is none. */
  limitOf(key: QuotaKey): number | undefined {
    const own = this.limits.get(quotaKey(key));
    return own === undefined && key.ownerKind === 'PROJECT' ? this.defaultOf(key.classId) : own;
  }

  /** Returns the limit of a project without its own limit of a class. */
  defaultOf(classId: number): number | undefined {
    return this.defaults.get(classId);
  }

  /** Whether a project has its own limit of a class. */
  hasOwn(key: QuotaKey): boolean {
    return this.limits.has(quotaKey(key));
  }

  /** Whether any project is in a group. */
  get hasGroups(): boolean {
    return this.groups.size > 0;
  }

  groupOf(projectId: number): GroupOfProject | undefined {
    return this.groups.get(projectId);
  }
}

const s = columns('placement_quota_state');
const q = columns('placement_quotas', 'q');
const m = columns('placement_quota_group_projects', 'm');
const g = columns('placement_quota_groups', 'g');

/**
 * The present version as an expression of an INSERT. It locks the row until the end of the transaction, so that no
 * change of quotas commits between this read and the commit.
 */
export const QUOTA_VERSION = `COALESCE((SELECT ${s.version} FROM placement_quota_state WHERE ${s.id} = 1 LOCK IN SHARE MODE), 0)`;

/** Reads everything in one statement, so that it is of one version. */
const READ = `
  SELECT 'STATE' AS kind, NULL AS ownerId, NULL AS classId, ${s.version} AS amount, ${s.ignored_types} AS name
    FROM placement_quota_state WHERE ${s.id} = 1
  UNION ALL SELECT ${q.owner_kind}, ${q.owner_id}, ${q.class_id}, ${q.max_used}, NULL FROM placement_quotas q
  UNION ALL SELECT 'MEMBER', ${m.project_id}, NULL, ${m.group_id}, ${g.name}
    FROM placement_quota_group_projects m JOIN placement_quota_groups g ON ${g.id} = ${m.group_id}`;

type Row =
  | { readonly kind: 'STATE'; readonly amount: number; readonly name: string }
  | { readonly kind: 'MEMBER'; readonly ownerId: number; readonly amount: number; readonly name: string }
  | {
      readonly kind: QuotaRow['ownerKind'];
      readonly ownerId: number;
      readonly classId: number;
      readonly amount: number;
    };

export async function readDefinitions(reader: Queryable): Promise<QuotaDefinitions> {
  let version = 0;
  let ignoredTypes: readonly string[] = [];
  const groups = new Map<number, GroupOfProject>();
  const rows: QuotaRow[] = [];
  for (const row of await read<Row>(reader, { text: READ }, [])) {
    if (row.kind === 'STATE') {
      version = Number(row.amount);
      ignoredTypes = typesIn(row.name);
    } else if (row.kind === 'MEMBER') groups.set(row.ownerId, { id: Number(row.amount), name: row.name });
    else {
      const { kind: ownerKind, ownerId, classId, amount } = row;
      rows.push({ ownerKind, ownerId, classId, maxUsed: Number(amount) });
    }
  }
  return new QuotaDefinitions(version, rows, ignoredTypes, groups);
}

/** Inserts the row of the version unless it exists: a transaction locks it. */
export async function ensureState(pool: Queryable): Promise<void> {
  const text = `INSERT INTO placement_quota_state (${s.id}, ${s.version}, ${s.ignored_types}) VALUES (1, 0, '')
    ON DUPLICATE KEY UPDATE ${s.id} = ${s.id}`;
  await write(pool, { text });
}

/** Returns the consumer types of the column `ignored_types`. */
function typesIn(text: string): string[] {
  return text.split(',').filter((type) => type !== '');
}

/** Returns consumer types as the column `ignored_types` has them. */
export function typesText(types: readonly string[]): string {
  return [...new Set(types)].sort().join(',');
}
