import type { Effort } from '../../model/operation/waiting.js';
import { allowedWithoutAllocations } from '../../search/overlay/snapshotOverlay.js';
import { isBroken, type Named, type Positions, type Relation } from '../relations/relation.js';
import { areUnitsMet } from './inventoryAmounts.js';
import type { ConsumerRequests } from './consumerRequests.js';
import { OwnCandidates } from './ownCandidates.js';
import type { ConsumerFaults, RebalanceProblem } from './problem.js';

/** The value of a broken relation: more than that of all other faults. */
const BROKEN = 2 ** 24;

interface FaultMeasure {
  /** The number of relations that it checks. */
  readonly relations: number;
  /** Returns the part of the value of a fleet that is due to these faults. */
  readonly at: (positions: Positions) => number;
}

/** The faults of consumers. None unless the goal is FIX. */
export class Faults {
  /** The consumers whose fault does not depend on other consumers. A move ends the fault. */
  readonly independent = new Set<number>();

  private constructor(
    private readonly problem: RebalanceProblem,
    private readonly requests: ConsumerRequests,
  ) {}

  static *of(problem: RebalanceProblem, requests: ConsumerRequests, effort: Effort): Generator<void, Faults> {
    const faults = new Faults(problem, requests);
    if (problem.goal !== 'FIX') return faults;
    const candidates = new OwnCandidates(allowedWithoutAllocations(problem.snapshot), effort);
    for (const [consumer, { isStated, allocations }] of problem.consumers.entries()) {
      effort.otherWork++;
      if (effort.isUsedUp) yield;
      const plan = isStated ? requests.planOf(consumer) : null;
      const isCorrect = isStated
        ? plan !== null && (yield* candidates.has(plan, allocations))
        : areUnitsMet(problem.snapshot, allocations);
      if (!isCorrect) faults.independent.add(consumer);
    }
    return faults;
  }

  /** Returns the broken relations and the faulty consumers when all consumers are at these positions. */
  at(positions: Positions): { readonly broken: readonly Relation[]; readonly consumers: readonly number[] } {
    if (this.problem.goal !== 'FIX') return { broken: [], consumers: [] };
    const broken = [...this.requests.relations.broken(positions)];
    const faulty = new Set(broken.map(({ consumer }) => consumer));
    for (const consumer of this.independent) if (this.isUnmoved(consumer, positions)) faulty.add(consumer);
    return { broken, consumers: [...faulty] };
  }

  countAt(positions: Positions): ConsumerFaults {
    const { broken, consumers } = this.at(positions);
    return { brokenRelations: broken.length, faultyConsumers: consumers.length };
  }

  /** Returns the part of the value of a fleet that is due to faults of consumers. */
  valueAt(positions: Positions): number {
    const { brokenRelations, faultyConsumers } = this.countAt(positions);
    return BROKEN * brokenRelations + faultyConsumers;
  }

  /** Returns the part of `valueAt` that a move of the consumer may change. */
  valueOf(consumer: number, positions: Positions): number {
    if (this.problem.goal !== 'FIX') return 0;
    const relations = [...this.requests.relations.relationsOf(consumer)];
    const broken = relations.filter((relation) => isBroken(relation, positions));
    const isFaulty =
      broken.some((relation) => relation.consumer === consumer) ||
      (this.independent.has(consumer) && this.isUnmoved(consumer, positions));
    return BROKEN * broken.length + (isFaulty ? 1 : 0);
  }

  /** Returns a measure of the faults that moves of these consumers may change. */
  measureFor(movers: readonly number[], start: Positions): FaultMeasure {
    if (this.problem.goal !== 'FIX') return { relations: 0, at: () => 0 };
    const { relations } = this.requests;
    const consumersOf = ({ consumer, named }: Relation): Named[] => [consumer, ...named];
    const firstMover = (relation: Relation): Named | undefined =>
      consumersOf(relation).find((one) => typeof one === 'number' && movers.includes(one));
    const touched = movers.flatMap((mover) =>
      [...relations.relationsOf(mover)].filter((relation) => firstMover(relation) === mover),
    );
    const moving = movers.filter((mover) => this.independent.has(mover));
    // The other faults do not change. A consumer with one of them is faulty in any case.
    const others = [...this.independent].filter((one) => !movers.includes(one));
    const constant = new Set(others.filter((one) => this.isUnmoved(one, start)));
    for (const relation of relations.broken(start))
      if (firstMover(relation) === undefined) constant.add(relation.consumer);
    const at = (positions: Positions): number => {
      const broken = touched.filter((relation) => isBroken(relation, positions));
      const faulty = new Set(broken.map(({ consumer }) => consumer).filter((one) => !constant.has(one)));
      for (const mover of moving) if (this.isUnmoved(mover, positions)) faulty.add(mover);
      return BROKEN * broken.length + faulty.size;
    };
    return { relations: touched.length, at };
  }

  private isUnmoved(consumer: number, positions: Positions): boolean {
    return positions(consumer) === this.problem.consumers[consumer].allocations;
  }
}
