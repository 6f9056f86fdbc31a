import type { Snapshot } from '../../engine/model/snapshot.js';
import type { Workload } from '../../engine/workload/workload.js';
import type { RejectedAlternative } from '../../engine/workload/workloadSearch.js';
import { reasonOfRejection } from '../../placement/noCandidates.js';
import type { WorkloadPlacement } from '../../placement/workloadPlacement.js';
import { builder } from '../builder.js';

interface Rejected {
  readonly rejected: RejectedAlternative & { readonly member: number };
  readonly searched: { readonly snapshot: Snapshot; readonly workload: Workload };
}

const RejectedRequest = builder.objectRef<Rejected>('RejectedRequest').implement({
  description: 'A preferred request that the placement does not use.',
  fields: (t) => ({
    requestIndex: t.int({
      description: 'The position of the request in the member, from 0.',
      resolve: ({ rejected }) => rejected.alternative,
    }),
    proven: t.boolean({
      description: 'True if proven: no placement uses the request, given the requests of earlier members.',
      resolve: ({ rejected }) => rejected.isProven,
    }),
    reason: t.string({
      description: 'The reason, for people.',
      resolve: ({ rejected, searched }, _args, { operation }) =>
        reasonOfRejection(searched, rejected, operation),
    }),
  }),
});

interface PlacedMember {
  readonly placement: WorkloadPlacement;
  readonly position: number;
}

export const MemberPlacement = builder.objectRef<PlacedMember>('MemberPlacement').implement({
  description: 'The chosen request of a member.',
  fields: (t) => ({
    name: t.string({
      description: 'The name of the member.',
      resolve: ({ placement, position }) => placement.workload.members[position].name,
    }),
    requestIndex: t.int({
      description: 'The position of the chosen request in the member, from 0.',
      resolve: ({ placement, position }) => placement.members[position].alternative,
    }),
    rejectedRequests: t.field({
      type: [RejectedRequest],
      description: 'All preferred requests, in the order of the member.',
      resolve: ({ placement, position }) =>
        placement.members[position].rejected.map((rejected) => ({
          rejected: { ...rejected, member: position },
          searched: placement,
        })),
    }),
  }),
});

export function membersOf(placement: WorkloadPlacement): PlacedMember[] {
  return [...placement.members.keys()].map((position) => ({ placement, position }));
}

/** The description of `optimal`. */
export const OPTIMAL =
  'True if proven: no placement has preferred requests, fewer domains of PACK rules or a better order.';
