import type { FieldMap } from '@pothos/core';
import type { Snapshot } from '../../fleet/snapshot.js';
import type { Workload } from '../../moves/workload/workload.js';
import type { RejectedAlternative } from '../../moves/workload/workloadSearch.js';
import { reasonOfRejection, reasonOfTopology } from '../../moves/claim/noCandidates.js';
import type { WorkloadPlacement } from '../../moves/claim/workloadPlacement.js';
import type { RejectedTopology } from '../../moves/workload/topologyAlternatives.js';
import { objectType, type Types } from '../builder.js';

interface Rejected {
  readonly rejected: RejectedAlternative & { readonly member: number };
  readonly searched: { readonly snapshot: Snapshot; readonly workload: Workload };
}

const RejectedRequest = objectType<Rejected>('RejectedRequest', {
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

export const MemberPlacement = objectType<ReturnType<typeof membersOf>[number]>('MemberPlacement', {
  description: 'The chosen request of a member.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the member.' }),
    requestIndex: t.exposeInt('requestIndex', {
      description: 'The position of the chosen request in the member, from 0.',
    }),
    rejectedRequests: t.expose('rejectedRequests', {
      type: [RejectedRequest],
      description: 'All preferred requests, in the order of the member.',
    }),
  }),
});

export function membersOf(placement: WorkloadPlacement) {
  return placement.members.map(({ alternative, rejected }, member) => ({
    name: placement.workload.members[member].name,
    requestIndex: alternative,
    rejectedRequests: rejected.map((each) => ({ rejected: { ...each, member }, searched: placement })),
  }));
}

/** Returns the candidate of each consumer, in the order of the input. */
export function placesOf({ workload, members }: WorkloadPlacement) {
  return members.flatMap(({ alternative, candidates }, at) =>
    candidates.map((candidate) => ({
      member: workload.members[at].name,
      requestIndex: alternative,
      candidate,
    })),
  );
}

/** The description of `optimal`. */
export const OPTIMAL =
  'True if proven: no placement moves fewer existing consumers, or then has a preferred topology, then preferred ' +
  'requests, then fewer domains of PACK rules, then less free amounts in them, then a better order.';

/** The description of `topology` in placements. */
export const RULES =
  'The used domains of each topology rule, in the order of the input. Those of the chosen alternative follow.';

const RejectedTopologyRef = objectType<{ rejected: RejectedTopology; placement: WorkloadPlacement }>(
  'RejectedTopology',
  {
    description: 'A preferred alternative of the topology that the placement does not use.',
    fields: (t) => ({
      alternativeIndex: t.int({
        description: 'The position of the alternative, from 0.',
        resolve: ({ rejected }) => rejected.alternative,
      }),
      proven: t.boolean({
        description:
          'True if proven: no placement under the alternative exists, or none that moves as few consumers.',
        resolve: ({ rejected }) => rejected.isProven,
      }),
      reason: t.string({
        description: 'The reason, for people.',
        resolve: ({ rejected, placement }) => reasonOfTopology(placement.snapshot, rejected),
      }),
    }),
  },
);

/** Returns the fields of a payload that state the chosen alternative of the topology. */
export const chosenTopology = (
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, { readonly placement: WorkloadPlacement }>,
): FieldMap => ({
  topologyAlternativeIndex: t.int({
    nullable: true,
    description: 'The position of the chosen entry of `topologyAlternatives`, from 0. Null without any.',
    resolve: ({ placement }) => placement.topologyAlternative,
  }),
  rejectedTopologies: t.field({
    type: [RejectedTopologyRef],
    description: 'All preferred entries of `topologyAlternatives`, in their order.',
    resolve: ({ placement }) => placement.rejectedTopologies.map((rejected) => ({ rejected, placement })),
  }),
});
