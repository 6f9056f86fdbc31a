import { once } from '../../model/collections.js';
import type { CandidateAllocation } from '../../search/anchor.js';
import type { Effort } from '../../model/operation/waiting.js';
import type { CandidatesRequest, Holdings } from '../../model/request.js';
import { isSharing } from '../../search/treeFilter.js';
import { excessAt, type Snapshot } from '../../fleet/snapshot.js';
import { areUnitsMet, inventoryAmounts } from './inventoryAmounts.js';
import type { RebalancedConsumer, RebalanceGoal } from './problem.js';
import { inputsOf, withoutCounters } from '../heldConsumers.js';
import { requestByShape } from '../consumerShape.js';
import { StatedRequests, type StatedRequest } from '../statedRequests.js';
import type { FleetConsumer } from './fleetConsumers.js';
import { areInSeveralTrees } from '../../search/trees.js';
import type { WorkloadBindings } from '../workloadBindings.js';
import {
  RequestTexts,
  withoutEnded,
  type RequestSource,
  type SourcedRequest,
} from '../rememberedRequests.js';

export interface RebalanceRequest {
  readonly goal: RebalanceGoal;
  readonly maxMoves: number;
  /** The minimum gain. A plan with a smaller gain has no moves. */
  readonly minGain: number;
  /** The aggregate whose trees are rebalanced; null: all trees. */
  readonly aggregate: string | null;
  /** The classes whose utilization counts; null: all. */
  readonly resourceClasses: readonly string[] | null;
  readonly keep: readonly string[];
  readonly keepTypes: readonly string[];
  readonly requests: readonly StatedRequest[];
  /** Whether derived requests require the traits that all non-sharing providers of the consumer have. */
  readonly keepsTraits: boolean;
  /** See CandidatesRequest. For derived requests. */
  readonly excludedRootTraits: readonly string[];
}

/** The texts of remembered requests by id, their requests, and the rules of named workloads. */
interface RememberedTexts {
  readonly bodies: ReadonlyMap<number, string>;
  readonly texts: RequestTexts;
  readonly bindings?: WorkloadBindings;
}

/** Provides the request for the move of each consumer, and decides which consumers may move. */
export class RequestsOfConsumers {
  private readonly stated: StatedRequests;
  private readonly keep: ReadonlySet<string>;
  private readonly keepTypes: ReadonlySet<string>;
  private readonly keepsTraits: boolean;
  private readonly excludedRootTraits: readonly string[];
  private readonly present: ReturnType<typeof withoutEnded>;
  private readonly derived = new Map<number, CandidatesRequest>();
  /** By consumer; null: it is derived. */
  private readonly found = new Map<number, SourcedRequest | null>();

  constructor(
    private readonly snapshot: Snapshot,
    {
      requests,
      keep,
      keepTypes,
      keepsTraits,
      excludedRootTraits,
      arriving = [],
    }: Omit<RebalanceRequest, 'goal' | 'maxMoves' | 'minGain' | 'aggregate' | 'resourceClasses'> & {
      /** New consumers that the plan places. */
      readonly arriving?: readonly string[];
    },
    private readonly consumers: readonly FleetConsumer[],
    private readonly types: ReadonlyMap<number, string>,
    private readonly holdings: Holdings,
    private readonly memory: RememberedTexts = { bodies: new Map(), texts: new RequestTexts([]) },
  ) {
    this.stated = new StatedRequests(requests);
    this.keep = new Set(keep);
    this.keepTypes = new Set(keepTypes);
    this.present = withoutEnded(holdings, new Set(arriving));
    this.keepsTraits = keepsTraits;
    this.excludedRootTraits = excludedRootTraits;
  }

  /** Returns all consumers in the form that the search needs. */
  *rebalanced(effort: Effort): Generator<void, RebalancedConsumer[]> {
    const found: RebalancedConsumer[] = [];
    for (const [at, { uuid, allocations, isKnown, isKept }] of this.consumers.entries()) {
      effort.otherWork++;
      if (effort.isUsedUp) yield;
      const type = this.typeOf(at);
      const stays = isKept || this.keep.has(uuid) || (type !== undefined && this.keepTypes.has(type));
      const canMove = isKnown && !stays && !areInSeveralTrees(allocations);
      found.push({ uuid, allocations, canMove, isStated: this.knownFor(at) !== null });
    }
    return found;
  }

  /** Returns the stated request, else the remembered one, else a derived one that keeps the shape. */
  requestOf(at: number): CandidatesRequest {
    return this.knownFor(at)?.request ?? this.derivedFor(at);
  }

  sourceOf(at: number): RequestSource {
    return this.knownFor(at)?.source ?? 'DERIVED';
  }

  /** Returns the request that a consumer must satisfy between two moves. */
  restRequestOf(at: number): CandidatesRequest {
    const known = this.knownFor(at);
    return known === null || known.source === 'STATED' ? this.derivedFor(at) : known.request;
  }

  private knownFor(at: number): SourcedRequest | null {
    let known = this.found.get(at);
    if (known === undefined) this.found.set(at, (known = this.find(at)));
    return known;
  }

  private find(at: number): SourcedRequest | null {
    const stated = this.statedFor(at);
    const { uuid } = this.consumers[at];
    const { bindings } = this.memory;
    const bound = (request: CandidatesRequest): CandidatesRequest =>
      this.withHoldings(bindings?.bound(uuid, request) ?? request);
    if (stated !== undefined) return { request: bound(stated.request), source: 'STATED' };
    const { requestId, allocations, isKnown } = this.consumers[at];
    const body = requestId === null ? undefined : this.memory.bodies.get(requestId);
    if (body === undefined || !isKnown || areInSeveralTrees(allocations)) return null;
    const inputs = withoutCounters(this.snapshot, inputsOf(this.snapshot, allocations));
    const amounts = inputs.flatMap(({ resources }) => resources);
    const { request, source } = this.memory.texts.requestFor({ id: requestId!, body }, amounts);
    return { request: bound(this.present(request)), source };
  }

  private readonly withHoldings = once((request: CandidatesRequest): CandidatesRequest => ({
    ...request,
    holdings: this.holdings,
  }));

  /** Returns the derived request, also for a consumer with a stated one. */
  derivedFor(at: number): CandidatesRequest {
    let request = this.derived.get(at);
    if (request === undefined) this.derived.set(at, (request = this.derive(this.consumers[at].allocations)));
    return request;
  }

  private statedFor(at: number): StatedRequest | undefined {
    const position = this.stated.positionFor(this.consumers[at].uuid, this.typeOf(at) ?? null);
    return position === null ? undefined : this.stated.all[position];
  }

  private typeOf(at: number): string | undefined {
    const { typeId } = this.consumers[at];
    return typeId === null ? undefined : this.types.get(typeId);
  }

  private derive(allocations: readonly CandidateAllocation[]): CandidatesRequest {
    const left = new Set(
      allocations
        .filter((one) => !isSharing(one.provider) || this.isFaulty(one))
        .map(({ provider }) => provider.treeIndex),
    );
    const { snapshot, keepsTraits, excludedRootTraits } = this;
    const leaves = (tree: number): boolean => left.has(tree);
    const options = { leaves, keepsTraits, keepsAggregates: false, excludedRootTraits };
    return requestByShape(snapshot, inputsOf(snapshot, allocations), options);
  }

  /** Returns whether an inventory of an allocation is over capacity or does not allow the amount. */
  private isFaulty(allocation: CandidateAllocation): boolean {
    const amounts = inventoryAmounts(this.snapshot, [allocation]);
    const isOver = amounts.some(({ block, at }) => excessAt(block, at, block.used) > 0);
    return isOver || !areUnitsMet(this.snapshot, [allocation]);
  }
}
