import type { CandidateAllocation } from '../../search/anchor.js';
import type { Plan } from '../../search/plan.js';
import type { CandidatesRequest, Holdings } from '../../model/request.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import type { Reallocation } from '../../search/overlay/snapshotOverlay.js';
import { isBroken, type Positions, type Relation } from '../relations/relation.js';
import type { WorkloadRules } from '../relations/domainRules.js';
import { Relations } from '../relations/relations.js';
import type { HeldConsumer } from '../../store/sql/consumers.js';
import type { RequestSource } from '../rememberedRequests.js';

/** A consumer of a drained tree with its requests, the best first. */
export interface Leaving {
  readonly consumer: HeldConsumer;
  readonly from: readonly CandidateAllocation[];
  /** The position of the stated request; null if no request is stated. */
  readonly requested: number | null;
  readonly source: RequestSource;
  readonly requests: readonly CandidatesRequest[];
  readonly seed: number;
}

/** A consumer with its position after the drain. */
export interface OtherConsumer {
  readonly uuid: string;
  readonly request: CandidatesRequest | null;
  readonly allocations: readonly CandidateAllocation[];
}

/** The positions after a drain so far. Other consumers that leave have no place yet. */
export interface PlacesAfter {
  readonly placed: ReadonlyMap<Leaving, Pick<Reallocation, 'to'>>;
  /** The consumers that keep their positions. */
  readonly stays: ReadonlySet<Leaving>;
}

/** The relations between the consumers that leave, and those to other consumers, at positions after a drain. */
export class DrainRelations {
  private readonly relations: Relations;
  private readonly indices: ReadonlyMap<string, number>;
  /** The positions of the consumers that leave, then those of the others. */
  private readonly before: readonly (readonly CandidateAllocation[])[];

  constructor(
    private readonly leaving: readonly Leaving[],
    snapshot: Snapshot,
    holdings: Holdings,
    others: readonly OtherConsumer[],
    workloads?: WorkloadRules,
  ) {
    const consumers = [
      ...leaving.map(({ consumer: { uuid }, source, requests }) => ({
        uuid,
        request: source === 'DERIVED' ? null : { ...requests[0], holdings },
      })),
      ...others.map(({ uuid, request }) => ({ uuid, request: request && { ...request, holdings } })),
    ];
    this.relations = new Relations(snapshot, consumers, workloads);
    this.indices = new Map(consumers.map(({ uuid }, at) => [uuid, at]));
    this.before = [...leaving.map(({ from }) => from), ...others.map(({ allocations }) => allocations)];
  }

  isRelated(each: Leaving): boolean {
    return this.relations.isRelated(this.indexOf(each));
  }

  /** Returns the consumers that leave and must stay near each other, with this one. */
  groupOf(each: Leaving): Leaving[] {
    const group = this.relations.groups.groupOf(this.indexOf(each));
    return group.filter((at) => at < this.leaving.length).map((at) => this.leaving[at]);
  }

  /** Restricts a plan to the trees that the relations of a consumer allow. */
  restrict(plan: Plan, each: Leaving, places: PlacesAfter): Plan {
    const own = this.indexOf(each);
    const counts = (relation: Relation): boolean => this.counts(relation, places);
    const positions = this.positionsAt(places);
    return this.relations.restrict(plan, own, positions, counts, (one) => positions(one) ?? this.start(one));
  }

  /** Returns false for a NEAR relation of a consumer that keeps its position if it is broken already. */
  private counts(relation: Relation, { stays }: PlacesAfter): boolean {
    const each = this.leaving[relation.consumer];
    const moves = each !== undefined && !stays.has(each);
    return moves || relation.rule === 'AWAY' || !isBroken(relation, this.start);
  }

  /** Returns whether a place keeps the rules of the consumer's workload that hold before the drain. */
  keepsRules(each: Leaving, to: readonly CandidateAllocation[], places: PlacesAfter): boolean {
    const own = this.indexOf(each);
    const positions = this.positionsAt(places);
    const after: Positions = (one) => (one === own ? to : positions(one));
    return !this.relations.rules.breaks(own, this.start, after);
  }

  /** Returns whether a rule of the consumer's workload requires that it is in one domain with others. */
  mustBeTogether(each: Leaving): boolean {
    return this.relations.rules.mustBeTogether(this.indexOf(each));
  }

  hasRules(each: Leaving): boolean {
    return this.relations.rules.has(this.indexOf(each));
  }

  /** Returns whether the relations of a consumer and the rules of its workload hold. */
  areMet(each: Leaving, places: PlacesAfter): boolean {
    const positions = this.positionsAt(places);
    const relations = [...this.relations.relationsOf(this.indexOf(each))];
    const isAnyBroken = relations.some(
      (relation) => this.counts(relation, places) && isBroken(relation, positions),
    );
    return !isAnyBroken && !this.relations.rules.breaks(this.indexOf(each), this.start, positions);
  }

  /**
   * Returns the request of a consumer with the relations and rules that restrict it, also those of the requests
   * that name it. A request has one list of near consumers: its own, or the first that names it.
   */
  withNaming(request: CandidatesRequest, each: Leaving, places: PlacesAfter): CandidatesRequest {
    const own = this.indexOf(each);
    const positions = this.positionsAt(places);
    const uuids = [...this.indices.keys()];
    const away = new Set(request.awayFromConsumers);
    let near = request.nearConsumers;
    for (const relation of this.relations.relationsOf(own)) {
      if (relation.consumer === own || !this.counts(relation, places)) continue;
      const uuid = uuids[relation.consumer];
      if (relation.rule === 'AWAY') away.add(uuid);
      else if (
        near.length === 0 &&
        this.relations.treesFor(own, positions, (one) => isSame(one, relation)).near
      )
        near = [uuid];
    }
    const related = { ...request, awayFromConsumers: [...away], nearConsumers: near };
    return this.relations.rules.explained(related, own, each.consumer.uuid, positions);
  }

  private positionsAt({ placed, stays }: PlacesAfter): Positions {
    return (consumer) => {
      const each = this.leaving[consumer];
      if (each === undefined || stays.has(each)) return this.before[consumer];
      return placed.get(each)?.to ?? null;
    };
  }

  private readonly start: Positions = (consumer) => this.before[consumer];

  private indexOf({ consumer }: Leaving): number {
    return this.indices.get(consumer.uuid)!;
  }
}

function isSame(one: Relation, other: Relation): boolean {
  return one.rule === other.rule && one.consumer === other.consumer;
}
