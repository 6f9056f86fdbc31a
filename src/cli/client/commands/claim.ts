import { randomUUID } from 'node:crypto';
import { Option, type Command } from 'commander';
import {
  ClaimDocument,
  ShowConsumerToMoveDocument,
  type ClaimInput,
  type ClaimPlacement,
  type ConsumerFieldsFragment,
  type ShowConsumerToMoveQuery,
} from '../../../generated/client/operations.js';
import { known, texts, type Amount } from '../arguments.js';
import type { Client } from '../client.js';
import { untilNoConflict } from '../failure.js';
import { amounts, list, type Output } from '../output.js';
import { addRequestCommand } from '../request.js';
import { byProvider, OWNER_OPTIONS, type OwnerOptions } from './consumer.js';

interface ClaimOptions extends OwnerOptions {
  readonly consumer?: string[];
  readonly placement: string;
}

interface MoveOptions {
  readonly keepAs?: string;
  readonly keepType?: string;
  readonly allowSameTree?: boolean;
}

const PLACEMENTS = ['any', 'same-tree', 'distinct-trees'];

export function addClaimCommands(program: Command): void {
  addRequestCommand(
    program,
    'claim',
    'search a candidate and allocate it: VCPU=2 MEMORY_MB=4096',
    [
      ['--consumer <uuid>', 'the consumer; repeatable: all or none; generated if omitted', texts],
      ...OWNER_OPTIONS,
      new Option('--placement <placement>', 'how several consumers are placed relative to each other')
        .choices(PLACEMENTS)
        .default('any'),
    ],
    async (client, options: ClaimOptions, request) => {
      const { consumer = [randomUUID()], project, user, type, placement } = options;
      const owner = { projectId: project, userId: user, consumerType: type };
      return claim(client, {
        request: await request(),
        consumers: consumer.map((each) => ({ consumer: each, ...owner })),
        placement: placement.toUpperCase().replace('-', '_') as ClaimPlacement,
      });
    },
  );
  addRequestCommand(
    program,
    'move <consumer>',
    'move a consumer to other trees; without amounts, with its current amounts as one group',
    [
      ['--keep-as <uuid>', 'keep the old allocations, under this new consumer, until it is released'],
      ['--keep-type <type>', 'the type of that consumer, such as MIGRATION'],
      ['--allow-same-tree', 'its current trees may be used again, such as for a resize'],
    ],
    (client, { keepAs, keepType, allowSameTree }: MoveOptions, request, consumer) =>
      // reads the consumer in each attempt: another client may have resized it
      untilNoConflict(async () => {
        const { consumer: found } = await client.run(ShowConsumerToMoveDocument, { uuid: consumer });
        const before = known(found, 'consumer', consumer);
        const { generation, projectId, userId } = before;
        const keepOldAs = keepAs === undefined ? undefined : { consumer: keepAs, consumerType: keepType };
        const input = await request(sumOf(before));
        const excluded = [...(input.notInTrees ?? []), ...(allowSameTree ? [] : treesOf(before))];
        return claim(client, {
          request: { ...input, notInTrees: [...new Set(excluded)] },
          consumers: [{ consumer, consumerGeneration: generation, projectId, userId, keepOldAs }],
        });
      }),
  );
}

async function claim(client: Client, input: ClaimInput): Promise<Output> {
  const { claims } = await client.mutate(ClaimDocument, { input });
  const consumers = claims.map((each) => each.consumer);
  const rows = consumers.flatMap((consumer) => byProvider(consumer).map((part) => ({ consumer, ...part })));
  const { blocks } = list(rows, {
    consumer: 'consumer.uuid',
    provider: 'name',
    takes: (each) => amounts(each.resources),
  });
  return { data: consumers, blocks };
}

/** The amounts of a consumer by class. */
function sumOf({ allocations }: ConsumerFieldsFragment): Amount[] {
  const sums = new Map<string, number>();
  for (const { resourceClass, used } of allocations)
    sums.set(resourceClass.name, (sums.get(resourceClass.name) ?? 0) + used);
  return [...sums].map(([resourceClass, amount]) => ({ resourceClass, amount }));
}

/** The trees of a consumer, without those that other trees share: a move may use the same storage again. */
function treesOf({ allocations }: NonNullable<ShowConsumerToMoveQuery['consumer']>): string[] {
  const own = allocations.filter(({ resourceProvider }) => !resourceProvider.isSharing);
  return own.map(({ resourceProvider }) => resourceProvider.root.uuid);
}
