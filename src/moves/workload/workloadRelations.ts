import { addToGroup, once } from '../../model/collections.js';
import { treesOfConsumer, type Plan } from '../../search/plan.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import { isBroken, treesAt, type Positions, type Relation } from '../relations/relation.js';
import { Relations, restricted } from '../relations/relations.js';
import type { InnerRelations, InnerStatement } from './innerStatement.js';

/** By member: the request that its consumers use; null if none is chosen. */
export type Choices = readonly (number | null)[];

const NONE: InnerRelations = { consumers: [], statements: [] };

/** The relations between the consumers of a workload, which depend on the chosen requests. */
export class WorkloadRelations {
  /** By member: the number of its first consumer. Consumers are numbered member by member. */
  readonly firstConsumers: readonly number[];
  /** By consumer: its member. */
  readonly members: readonly number[];
  /** Trees of other consumers, which distinguish two trees for the relations. */
  readonly namedTrees: readonly ReadonlySet<number>[];
  /** By member and request; null without relations. */
  private readonly byRequest: readonly (readonly (Relations | null)[])[];
  /** By member and request: the consumers of the workload that it must be away from. */
  private readonly away: readonly (readonly ReadonlySet<number>[])[];
  /** By member, request and term of the order: the consumers of the workload that the term names. */
  private readonly preferred: readonly (readonly (readonly (readonly number[])[])[])[];
  /** By consumer: the result of `kindOf`. */
  private readonly kinds: readonly (string | null)[];

  constructor(
    snapshot: Snapshot,
    counts: readonly number[],
    { consumers, statements }: InnerRelations = NONE,
  ) {
    this.members = counts.flatMap((count, member) => Array<number>(count).fill(member));
    this.firstConsumers = counts.map((_, member) => this.members.indexOf(member));
    const numbers = new Map(consumers.map((uuid, consumer) => [uuid, consumer]));
    this.byRequest = statements.map((requests, member) => {
      const relationsOf = once((statement: InnerStatement) => {
        const requestOf = (at: number): InnerStatement | null =>
          this.members[at] === member ? statement : null;
        return new Relations(
          snapshot,
          consumers.map((uuid, at) => ({ uuid, request: requestOf(at) })),
        );
      });
      return requests.map((statement) => statement && relationsOf(statement));
    });
    this.away = statements.map((requests) =>
      requests.map(
        (statement) =>
          new Set((statement?.awayFromConsumers ?? []).flatMap((uuid) => numbers.get(uuid) ?? [])),
      ),
    );
    this.preferred = statements.map((requests) =>
      requests.map((statement) =>
        (statement?.preferred ?? []).map((uuids) => uuids.map((uuid) => numbers.get(uuid)!)),
      ),
    );
    const all = statements.flat().filter((one) => one !== null);
    this.namedTrees = all.map(({ nearConsumers, holdings }) => {
      const others = nearConsumers.filter((uuid) => !numbers.has(uuid));
      return new Set(others.flatMap((uuid) => [...treesOfConsumer(snapshot, holdings, uuid)]));
    });
    this.kinds = kindsOf(consumers, this.members, statements);
  }

  get isEmpty(): boolean {
    return this.byRequest.length === 0;
  }

  /** Whether an order names consumers of the workload. */
  get hasPreferences(): boolean {
    return this.preferred.some((requests) =>
      requests.some((terms) => terms.some(({ length }) => length > 0)),
    );
  }

  /** Returns whether a statement concerns a consumer of the member. */
  isRelated(member: number): boolean {
    return !this.isEmpty && this.kindOf(this.firstConsumers[member]) !== null;
  }

  /** Returns equal texts for interchangeable consumers; null if no statement concerns the member. */
  kindOf(consumer: number): string | null {
    return this.kinds[consumer] ?? null;
  }

  /** Returns whether a relation that concerns the consumer is violated. */
  isBroken(consumer: number, positions: Positions, choices: Choices): boolean {
    for (const relation of this.relationsOf(consumer, choices))
      if (isBroken(relation, positions)) return true;
    return false;
  }

  /** Returns the plan, restricted to the trees where the relations of a consumer hold. */
  restricted(plan: Plan, consumer: number, positions: Positions, choices: Choices): Plan {
    let found = plan;
    for (const relations of this.chosen(choices))
      found = restricted(found, relations.treesFor(consumer, positions));
    return found;
  }

  /** Returns sets of consumers that must be in different trees, whichever allowed requests are used. */
  distinctGroups(allowed: readonly (readonly number[])[]): number[][] {
    const lists = new Map(this.away.flat().map((list) => [[...list].sort().join(), list]));
    return Array.from(lists.values(), (list) => {
      // A request covers the list for a consumer if it names all others of the list.
      const missing = allowed.map((requests, member) =>
        requests.flatMap((request) => [...list].filter((one) => !this.away[member][request].has(one))),
      );
      return [...list].filter((consumer) => missing[this.members[consumer]].every((one) => one === consumer));
    });
  }

  /** Returns how many consumers that a term of the order names are in the tree of a consumer. */
  preferredAt(consumer: number, request: number, term: number, positions: Positions): number {
    const [tree] = treesAt(consumer, positions) ?? [];
    const named = this.preferred[this.members[consumer]]?.[request]?.[term] ?? [];
    return named.filter(
      (other) =>
        other !== consumer && tree !== undefined && [...(treesAt(other, positions) ?? [])].includes(tree),
    ).length;
  }

  private *relationsOf(consumer: number, choices: Choices): Generator<Relation> {
    for (const relations of this.chosen(choices)) yield* relations.relationsOf(consumer);
  }

  private *chosen(choices: Choices): Generator<Relations> {
    for (const [member, request] of choices.entries()) {
      const relations = request === null ? null : this.byRequest[member]?.[request];
      if (relations) yield relations;
    }
  }
}

/** Consumers of a member are interchangeable if each list of a statement names both or none of them. */
function kindsOf(
  consumers: readonly string[],
  members: readonly number[],
  statements: InnerRelations['statements'],
): (string | null)[] {
  const lists = statements
    .flat()
    .flatMap((one) => (one === null ? [] : [one.awayFromConsumers, one.nearConsumers, ...one.preferred]));
  const naming = new Map<string, number[]>();
  for (const [list, uuids] of lists.entries()) for (const uuid of uuids) addToGroup(naming, uuid, list);
  const stating = statements.map((requests) => requests.some((one) => one !== null));
  const isConcerned = (uuid: string, consumer: number): boolean =>
    naming.has(uuid) || stating[members[consumer]];
  const related = new Set(members.filter((_, consumer) => isConcerned(consumers[consumer], consumer)));
  return consumers.map((uuid, consumer) => {
    const member = members[consumer];
    return related.has(member) ? `${member}:${(naming.get(uuid) ?? []).join('.')}` : null;
  });
}
