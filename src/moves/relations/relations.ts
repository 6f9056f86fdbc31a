import { addToGroup } from '../../model/collections.js';
import { treesOfConsumer, type Plan } from '../../search/plan.js';
import type { CandidatesRequest } from '../../model/request.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import { DomainRules, type WorkloadRules } from './domainRules.js';
import { NearGroups } from './nearGroups.js';
import {
  isBroken,
  treesAt,
  treesMissing,
  unionOf,
  type Named,
  type Positions,
  type Relation,
} from './relation.js';

/** A consumer of a problem. Without a request it states no relations. */
export interface RelatedConsumer {
  readonly uuid: string;
  readonly request: Pick<
    CandidatesRequest,
    'awayFromConsumers' | 'nearConsumers' | 'alsoNear' | 'holdings'
  > | null;
}

/** The trees that relations exclude for a consumer, and the only ones that they allow; null: any. */
export interface AllowedTrees {
  readonly away: ReadonlySet<number>;
  readonly near: ReadonlySet<number> | null;
}

/** One list of `awayFromConsumers` or `nearConsumers`, and the consumers whose requests have it. */
interface RuleList {
  readonly rule: Relation['rule'];
  readonly named: readonly Named[];
  /** The named consumers of the problem. */
  readonly inside: readonly number[];
  readonly consumers: number[];
}

const NONE: readonly RuleList[] = [];

/**
 * The relations that the requests of the consumers of a problem state, by their positions in the
 * list. All are judged by positions after the change (decision D22).
 */
export class Relations {
  /** The consumers that must stay near each other. */
  readonly groups = new NearGroups();
  /** The rules of the named workloads of the consumers. */
  readonly rules: DomainRules;
  private readonly lists: RuleList[] = [];
  /** By consumer: the lists of its request, and the lists that name it. */
  private readonly stated = new Map<number, RuleList[]>();
  private readonly naming = new Map<number, RuleList[]>();

  /** Consumers that requests name but that are not in the list keep the position in `holdings`. */
  constructor(
    private readonly snapshot: Snapshot,
    consumers: readonly RelatedConsumer[],
    workloads: WorkloadRules | null = null,
  ) {
    const listsOf = ({ request }: RelatedConsumer) =>
      [
        { rule: 'AWAY', uuids: request?.awayFromConsumers ?? [] },
        { rule: 'NEAR', uuids: request?.nearConsumers ?? [] },
        ...(request?.alsoNear ?? []).map((uuids) => ({ rule: 'NEAR', uuids }) as const),
      ] as const;
    const related = [...consumers.entries()].filter(([, one]) =>
      listsOf(one).some(({ uuids }) => uuids.length > 0),
    );
    const hasRules = workloads !== null && workloads.rules.length > 0;
    const isNeeded = related.length > 0 || hasRules;
    const indices = new Map(isNeeded ? consumers.map(({ uuid }, at) => [uuid, at]) : []);
    this.rules = new DomainRules(snapshot, workloads, indices);
    for (const [first, ...others] of this.rules.together)
      for (const other of others) this.groups.link(other, first);
    // The consumers of a type share a list, which may be long.
    const known = new Map<readonly string[], RuleList>();
    for (const [consumer, one] of related)
      for (const { rule, uuids } of listsOf(one)) {
        const list = known.get(uuids) ?? this.addList(rule, uuids, indices, one.request!.holdings);
        known.set(uuids, list);
        this.state(consumer, list);
      }
  }

  private addList(
    rule: Relation['rule'],
    uuids: readonly string[],
    indices: ReadonlyMap<string, number>,
    holdings: CandidatesRequest['holdings'],
  ): RuleList {
    const named = [...new Set(uuids)].map(
      (uuid) => indices.get(uuid) ?? treesOfConsumer(this.snapshot, holdings, uuid),
    );
    const inside = named.filter((one) => typeof one === 'number');
    const list: RuleList = { rule, named, inside, consumers: [] };
    this.lists.push(list);
    for (const one of inside) addToGroup(this.naming, one, list);
    return list;
  }

  private state(consumer: number, list: RuleList): void {
    if (othersIn(list, consumer).length === 0) return;
    list.consumers.push(consumer);
    addToGroup(this.stated, consumer, list);
    if (list.rule === 'AWAY') return;
    // The first consumer of the list links all consumers that the list names.
    const isFirst = list.consumers.length === 1;
    for (const other of list.inside.slice(0, isFirst ? undefined : 1)) this.groups.link(consumer, other);
  }

  /** Returns whether the consumer states a relation, another consumer of the problem names it, or a rule restricts it. */
  isRelated(consumer: number): boolean {
    return this.stated.has(consumer) || this.naming.has(consumer) || this.rules.has(consumer);
  }

  /** Yields the relations that the consumer states and those that name it. */
  *relationsOf(consumer: number): Generator<Relation> {
    for (const list of this.stated.get(consumer) ?? NONE) {
      const others = othersIn(list, consumer);
      if (list.rule === 'NEAR') yield { rule: 'NEAR', consumer, named: others };
      else for (const other of others) yield { rule: 'AWAY', consumer, named: [other] };
    }
    for (const list of this.naming.get(consumer) ?? NONE)
      for (const other of list.consumers) {
        if (other === consumer) continue;
        const named = list.rule === 'NEAR' ? othersIn(list, other) : [consumer];
        yield { rule: list.rule, consumer: other, named };
      }
  }

  /** Yields all violated relations. Consumers without a place violate none. */
  *broken(positions: Positions): Generator<Relation> {
    for (const list of this.lists) {
      const byTree = new Map<number, Named[]>();
      for (const named of list.named)
        for (const tree of treesAt(named, positions) ?? []) addToGroup(byTree, tree, named);
      for (const consumer of list.consumers) {
        const found = Array.from(treesAt(consumer, positions) ?? [], (tree) =>
          (byTree.get(tree) ?? []).filter((named) => named !== consumer),
        );
        if (list.rule === 'AWAY')
          for (const named of new Set(found.flat())) yield { rule: 'AWAY', consumer, named: [named] };
        else if (found.some((named) => named.length === 0)) {
          const relation: Relation = { rule: 'NEAR', consumer, named: othersIn(list, consumer) };
          if (isBroken(relation, positions)) yield relation;
        }
      }
    }
  }

  /**
   * Returns whether the change breaks a relation or a rule of the consumer that holds before.
   *
   * @param rule the only relations that count; with AWAY, the rules that concern consumers together do not count
   */
  breaks(consumer: number, before: Positions, after: Positions, rule?: Relation['rule']): boolean {
    if (!this.isRelated(consumer)) return false;
    for (const relation of this.relationsOf(consumer)) {
      if (rule !== undefined && relation.rule !== rule) continue;
      if (isBroken(relation, after) && !isBroken(relation, before)) return true;
    }
    return this.rules.breaks(consumer, before, after, rule !== 'AWAY');
  }

  /**
   * Restricts a plan to the trees and providers that the relations and rules of a consumer allow.
   *
   * @see treesFor
   */
  restrict(
    plan: Plan,
    consumer: number,
    positions: Positions,
    counts?: (relation: Relation) => boolean,
    present: Positions = positions,
  ): Plan {
    const inTrees = restricted(plan, this.treesFor(consumer, positions, counts, present));
    return this.rules.restrict(inTrees, consumer, positions, present);
  }

  /**
   * Returns the trees where the relations of a consumer hold: those that it states and those that
   * name it. Consumers without a place do not restrict it. `counts` selects the relations. AWAY
   * relations are judged by `present`.
   */
  treesFor(
    consumer: number,
    positions: Positions,
    counts: (relation: Relation) => boolean = () => true,
    present: Positions = positions,
  ): AllowedTrees {
    const away = new Set<number>();
    let near: ReadonlySet<number> | null = null;
    for (const relation of this.relationsOf(consumer)) {
      if (!counts(relation)) continue;
      const isOwn = relation.consumer === consumer;
      if (relation.rule === 'AWAY') {
        const other = isOwn ? relation.named[0] : relation.consumer;
        for (const tree of treesAt(other, present) ?? []) away.add(tree);
      } else if (isOwn) {
        const others = unionOf(relation.named, positions);
        if (others.isComplete) near = intersection(near, others.trees);
      } else near = intersection(near, treesMissing(relation, consumer, positions));
    }
    return { away, near };
  }
}

/** Restricts a plan to the trees that relations allow. */
export function restricted(plan: Plan, { away, near }: AllowedTrees): Plan {
  if (away.size === 0 && near === null) return plan;
  const { trees } = plan;
  return {
    ...plan,
    trees: { ...trees, away: new Set([...trees.away, ...away]), near: intersection(near, trees.near) },
  };
}

/** Returns the request without its relations. */
export function withoutRelations(request: CandidatesRequest): CandidatesRequest {
  return { ...request, awayFromConsumers: [], nearConsumers: [], alsoNear: undefined };
}

function othersIn({ named }: RuleList, consumer: number): readonly Named[] {
  return named.includes(consumer) ? named.filter((one) => one !== consumer) : named;
}

/** Null stands for all trees. */
function intersection(
  a: ReadonlySet<number> | null,
  b: ReadonlySet<number> | null,
): ReadonlySet<number> | null {
  if (a === null || b === null) return a ?? b;
  return new Set([...a].filter((one) => b.has(one)));
}
