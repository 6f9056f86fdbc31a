import { DomainError } from '../../model/rejections.js';
import type { Snapshot } from '../../fleet/snapshot.js';
import type { Shortage } from '../workload/shortages.js';
import type { RejectedTopology } from '../workload/topologyAlternatives.js';
import type { Workload } from '../workload/workload.js';
import type { RejectedAlternative, WorkloadFailure, WorkloadImpossible } from '../workload/workloadSearch.js';
import type { Operation } from '../../model/operation/operation.js';
import { explainCandidates } from '../../search/explanation/explainRequest.js';

/** A failed search. */
interface Searched {
  readonly snapshot: Snapshot;
  /** Under the tried alternative of its topology. */
  readonly workload: Workload;
  /** The position of that alternative, and the number of rules before its own. Absent: the workload has none. */
  readonly tried?: { readonly alternative: number; readonly commonRules: number };
}

/** The workload does not fit, or the search ended before it could decide. */
export class NoCandidates extends DomainError {
  readonly code = 'NO_CANDIDATES';
  constructor(
    readonly searched: Searched,
    readonly answer: WorkloadFailure,
  ) {
    super(messageOf(searched, answer));
    const { member, topologyIndex, topologyAlternativeIndex } = this;
    if (topologyIndex !== null && topologyAlternativeIndex !== null)
      this.path = ['topologyAlternatives', String(topologyAlternativeIndex), 'rules', String(topologyIndex)];
    else if (topologyIndex !== null) this.path = ['topology', String(topologyIndex)];
    else if (member !== null) this.path = ['members', String(member)];
  }

  /** The position of the member that does not fit; null if only the members together do not fit. */
  get member(): number | null {
    return this.answer.kind === 'IMPOSSIBLE' ? this.answer.cause.member : null;
  }

  /** The position of the rule that cannot hold, in its list; null if no rule is the reason. */
  get topologyIndex(): number | null {
    const rule = ruleOf(this.answer);
    return rule === null ? null : positionOf(this.searched, rule).index;
  }

  /** The position of the alternative with this rule; null for a rule of `topology`. */
  get topologyAlternativeIndex(): number | null {
    const rule = ruleOf(this.answer);
    return rule === null ? null : positionOf(this.searched, rule).alternative;
  }

  get shortage(): Shortage | null {
    return this.answer.kind === 'IMPOSSIBLE' ? this.answer.cause.shortage : null;
  }
}

function ruleOf(answer: WorkloadFailure): number | null {
  return answer.kind === 'IMPOSSIBLE' ? answer.cause.rule : null;
}

/** Returns the position of a rule of the searched workload in `topology` or in the rules of an alternative. */
function positionOf({ tried }: Searched, rule: number) {
  return tried === undefined || rule < tried.commonRules
    ? { alternative: null, index: rule }
    : { alternative: tried.alternative, index: rule - tried.commonRules };
}

/** Explains in words why a better alternative of the topology was not used. */
export function reasonOfTopology(snapshot: Snapshot, rejected: RejectedTopology): string {
  const { failure, isProven } = rejected;
  if (failure?.kind === 'IMPOSSIBLE') return messageOf({ snapshot, ...rejected, tried: rejected }, failure);
  return isProven
    ? 'more existing consumers would move'
    : 'the search ended before it could place the workload with these rules';
}

function messageOf(searched: Searched, answer: NoCandidates['answer']): string {
  if (answer.kind === 'UNDECIDED')
    return 'the search ended before it placed the workload or proved that it does not fit';
  const { requested, fit, isLargest, cause } = answer;
  if (requested === 1) return 'nothing fits the request';
  const sum = fit.reduce((all, count) => all + count, 0);
  const reason = reasonOf(searched, cause);
  return (
    `the ${requested} consumers do not fit together; ${isLargest ? 'at most' : 'at least'} ${sum} fit` +
    (reason === '' ? '' : `: ${reason}`)
  );
}

/**
 * Explains in words why a better request of a member was not used. Explains the request itself if no tree can take
 * it, unless the operation has timed out.
 */
export async function reasonOfRejection(
  searched: Searched,
  { member, alternative, isProven, isKept, shortage }: RejectedAlternative & { readonly member: number },
  operation: Operation,
): Promise<string> {
  if (isKept) return 'the member keeps the request of its consumers that are placed';
  if (!isProven) return 'the search ended before it could place the workload with this request';
  const reason = shortage === null ? '' : reasonOf(searched, { ...shortage, shortage });
  const fitsNowhere =
    shortage?.member === member && shortage.resourceClass === null && shortage.available === 0;
  if (fitsNowhere && !operation.signal.aborted) {
    const request = searched.workload.members[member].requests[alternative];
    const { combination, summary } = await explainCandidates(searched.snapshot, request, operation);
    if (combination.at(-1)!.remaining === 0) return summary;
  }
  return reason === '' ? 'no placement of the workload uses this request' : reason;
}

function placeOf(searched: Searched, rule: number): string {
  const { alternative, index } = positionOf(searched, rule);
  return alternative === null ? `topology ${index}` : `topologyAlternatives ${alternative}, rules ${index}`;
}

function reasonOf(searched: Searched, cause: WorkloadImpossible['cause']): string {
  const { snapshot, workload } = searched;
  const { member, rule, shortage, isRelation } = cause;
  const parts: string[] = [];
  if (member !== null) parts.push(`member ${workload.members[member].name}`);
  if (rule !== null) parts.push(`rule ${workload.topology[rule].rule} at ${placeOf(searched, rule)}`);
  if (isRelation) parts.push('awayFromConsumers and nearConsumers among the consumers of the workload');
  if (shortage !== null) parts.push(amountsOf(snapshot, shortage));
  return parts.join(', ');
}

function amountsOf({ classes }: Snapshot, { resourceClass, amount, requested, available }: Shortage): string {
  if (resourceClass === null)
    return available === 0
      ? 'no consumer fits'
      : `${requested} consumers requested, at most ${available} fit`;
  const unit = amount === 1 ? '' : ` times ${amount}`;
  return `${requested}${unit} ${classes.nameOf(resourceClass)} requested, ${available} free`;
}
