import type { Command } from 'commander';
import {
  ClaimDocument,
  ShowConsumerToMoveDocument,
  type ShowConsumerToMoveQuery,
} from '../../../generated/client/operations.js';
import { action, addCommand } from '../action.js';
import { RequestArguments, type RequestOptions } from '../arguments/request.js';
import type { Client } from '../connection/client.js';
import { accepted, Failure } from '../connection/failure.js';
import { untilNoConflict } from '../connection/retry.js';
import type { Output } from '../output/output.js';
import { claimed } from './claim.js';
import { sumOf } from './consumer.js';

interface MoveOptions extends RequestOptions {
  readonly keepAs?: string;
  readonly keepType?: string;
  readonly allowSameTree?: boolean;
}

export function addMoveCommand(program: Command): void {
  const command = addCommand(
    program,
    'move <consumer> [amounts...]',
    'move a consumer to other trees; without amounts, with its current amounts as one group',
  )
    .option('--keep-as <uuid>', 'keep what it has in use, under this new consumer, until that is released')
    .option('--keep-type <type>', 'what kind of consumer that is, such as MIGRATION')
    .option('--allow-same-tree', 'the trees that it is in may be used again, such as for a resize');
  const request = new RequestArguments(command);
  command.action(
    action(async (client: Client, options: MoveOptions, consumer: string, given: string[]) => {
      const { keepAs, keepType } = options;
      return untilNoConflict(async (): Promise<Output> => {
        const before = await readConsumer(client, consumer);
        const { generation, projectId, userId } = before;
        const input = await request.input(client, given, options, sumOf(before));
        const current = options.allowSameTree ? [] : treesOf(before);
        const { claim } = await client.run(ClaimDocument, {
          input: {
            request: { ...input, notInTrees: [...new Set([...(input.notInTrees ?? []), ...current])] },
            consumers: [
              {
                consumer,
                consumerGeneration: generation,
                projectId,
                userId,
                ...(keepAs !== undefined && { keepOldAs: { consumer: keepAs, consumerType: keepType } }),
              },
            ],
          },
        });
        return claimed(accepted(claim).claims.map((each) => each.consumer));
      });
    }),
  );
}

type Moved = NonNullable<ShowConsumerToMoveQuery['consumer']>;

async function readConsumer(client: Client, uuid: string): Promise<Moved> {
  const { consumer } = await client.run(ShowConsumerToMoveDocument, { uuid });
  if (consumer == null) throw Failure.notFound(`there is no consumer "${uuid}": nothing is allocated to it`);
  return consumer;
}

/** The trees of the consumer, without those that other trees share: a move may use the same storage again. */
function treesOf({ allocations }: Moved): string[] {
  const own = allocations.filter(({ resourceProvider }) => !resourceProvider.isSharing);
  return [...new Set(own.map(({ resourceProvider }) => resourceProvider.root.uuid))];
}
