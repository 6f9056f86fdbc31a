import { randomUUID } from 'node:crypto';
import * as api from '../../generated/client/operations.js';
import { excluding, known, readUuid, type Amount } from '../arguments.js';
import type { Client } from '../client.js';
import type { Command } from '../command.js';
import { Failure, untilNoConflict } from '../failure.js';
import { choice, flag, text, texts } from '../options.js';
import { amounts, list, type Output } from '../output.js';
import { plan } from '../plan.js';
import { requestCommand } from '../request.js';
import { byProvider } from '../consumerParts.js';
import { OWNER, UNTIL } from './consumer.js';

export const CLAIM_COMMANDS: readonly Command[] = [
  requestCommand(
    'claim',
    'search a candidate and allocate it: VCPU=2 MEMORY_MB=4096',
    {
      uuids: texts(
        '--consumer <uuid>',
        'the consumer; repeatable: all or none; generated if omitted',
        readUuid,
      ),
      ...OWNER,
      expiresAt: UNTIL,
      candidate: text(
        '--candidate <token>',
        'allocate this candidate instead of searching: a line of `candidates -o name`',
      ),
      placement: choice<api.ClaimPlacement>(
        '--placement <placement>',
        'how several consumers are placed relative to each other',
        { ANY: true, SAME_TREE: true, DISTINCT_TREES: true },
        'any',
      ),
    },
    async (client, { uuids = [randomUUID()], candidate, placement, ...given }, request) => {
      const { projectId, userId, type, expiresAt } = given;
      const consumers = uuids.map((consumer) => ({ consumer, projectId, userId, type, expiresAt }));
      if (candidate === undefined) return claim(client, await request.read(), consumers, placement);
      if (request.isGiven)
        throw Failure.usage(
          '--candidate is the whole claim: give no amounts, groups or conditions beside it',
        );
      const allocations = { claimToken: candidate };
      const input = { consumers: consumers.map((each) => ({ ...each, allocations })) };
      return claimed((await client.mutate(api.SetAllocationsDocument, { input })).consumers);
    },
  ),
  requestCommand(
    'move <consumer>',
    'move a consumer to other trees; without amounts, with its current amounts as one group',
    {
      keepAs: text(
        '--keep-as <uuid>',
        'keep the old allocations, under this new consumer, until it is released',
        readUuid,
      ),
      keepType: text('--keep-type <type>', 'the type of that consumer, such as MIGRATION'),
      allowSameTree: flag('--allow-same-tree', 'its current trees may be used again, such as for a resize'),
      dryRun: flag('--dry-run', 'only show where it would go'),
    },
    (client, { keepAs, keepType, allowSameTree, dryRun }, request, name) =>
      // each attempt reads the consumer again: another client may have resized it
      untilNoConflict(async () => {
        const consumer = readUuid(name);
        const { consumer: found } = await client.run(api.ShowConsumerToMoveDocument, { uuid: consumer });
        const before = known(found, 'consumer', consumer);
        const { generation, projectId, userId } = before;
        const keepOldAs = keepAs === undefined ? undefined : { consumer: keepAs, type: keepType };
        const trees = treesOf(before);
        if (!request.isGiven && new Set(trees.map(({ uuid }) => uuid)).size > 1)
          throw Failure.usage(
            `consumer ${consumer} has allocations in several trees: state its amounts, ` +
              'or remove the superfluous ones with consumer unset --in-tree',
          );
        const isRemembered = !request.isGiven && before.request?.isOutdated === false;
        const input = isRemembered
          ? request.completed(anywhere(before.request!.input as api.AllocationCandidatesInput))
          : await request.read(sumOf(before));
        const moved = allowSameTree ? input : excluding(input, trees);
        const owner = { projectId: projectId ?? '', userId: userId ?? '' };
        const consumers = [{ consumer, generation, ...owner, keepOldAs, keepRequest: !request.isGiven }];
        return dryRun ? plan(client, claimOf(moved, consumers)) : claim(client, moved, consumers);
      }),
  ),
];

async function claim(client: Client, ...claim: Parameters<typeof claimOf>): Promise<Output> {
  const { claims } = await client.mutate(api.ClaimDocument, { input: claimOf(...claim) });
  return claimed(claims.map(({ consumer }) => consumer));
}

/** Returns a claim with all consumers in one member. */
function claimOf(
  request: api.AllocationCandidatesInput,
  consumers: api.ClaimConsumerInput[],
  placement?: api.ClaimPlacement,
): api.ClaimInput {
  return { members: [{ name: 'consumers', requests: [request], consumers, placement }] };
}

/** Shows the allocations of consumers. `memberOf` maps consumers of a workload to their members. */
export function claimed(
  consumers: readonly api.ConsumerFieldsFragment[],
  memberOf?: ReadonlyMap<string, string>,
): Output {
  const memberIn = ({ uuid }: api.ConsumerFieldsFragment) => memberOf && { member: memberOf.get(uuid) };
  const data = consumers.map((consumer) => ({ ...memberIn(consumer), ...consumer }));
  const rows = consumers.flatMap((consumer) =>
    byProvider(consumer).map(({ name, resources }) => ({
      ...memberIn(consumer),
      consumer: consumer.uuid,
      provider: name,
      takes: amounts(resources),
    })),
  );
  return { data, blocks: list(rows).blocks, names: consumers.map(({ uuid }) => uuid) };
}

/** Returns the amounts of a consumer by class. */
function sumOf({ allocations }: api.ConsumerFieldsFragment): Amount[] {
  const sums = new Map<string, number>();
  for (const { resourceClass, amount } of allocations)
    sums.set(resourceClass.name, (sums.get(resourceClass.name) ?? 0) + amount);
  return [...sums].map(([resourceClass, amount]) => ({ resourceClass, amount }));
}

/** Returns a remembered request without the trees that its claim named: they do not bind a move. */
function anywhere({ groups, ...request }: api.AllocationCandidatesInput): api.AllocationCandidatesInput {
  const free = groups.map((group) => ({ ...group, inTree: undefined, inSubtree: undefined }));
  return { ...request, groups: free, notInTrees: undefined };
}

/** Returns the trees of a consumer, except sharing ones: a move may use the same storage again. */
function treesOf({ allocations }: NonNullable<api.ShowConsumerToMoveQuery['consumer']>) {
  return allocations.flatMap(({ resourceProvider }) =>
    resourceProvider === null || resourceProvider.isSharing ? [] : resourceProvider.root,
  );
}
