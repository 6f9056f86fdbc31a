import type { Command } from 'commander';
import { ClaimDocument } from '../../../generated/client/operations.js';
import { action, addCommand } from '../action.js';
import { RequestArguments, type RequestOptions } from '../arguments/request.js';
import type { Client } from '../connection/client.js';
import { accepted } from '../connection/failure.js';
import { untilNoConflict } from '../connection/retry.js';
import type { Output } from '../output/output.js';
import { claimed } from './claim.js';
import { readConsumer, sumOf } from './consumer.js';

interface MoveOptions extends RequestOptions {
  readonly keepAs?: string;
  readonly keepType?: string;
}

export function addMoveCommand(program: Command): void {
  const command = addCommand(
    program,
    'move <consumer> [amounts...]',
    'look for another place for a consumer and take it: of another size, or of what it has as one group',
  )
    .option('--keep-as <uuid>', 'keep what it has in use, under this new consumer, until that is released')
    .option('--keep-type <type>', 'what kind of consumer that is, such as MIGRATION');
  const request = new RequestArguments(command);
  command.action(
    action(async (client: Client, options: MoveOptions, consumer: string, given: string[]) => {
      const { keepAs, keepType } = options;
      const before = await readConsumer(client, consumer);
      const input = await request.input(client, given, options, sumOf(before));
      return untilNoConflict(async (): Promise<Output> => {
        const { generation, projectId, userId } = await readConsumer(client, consumer);
        const { claim } = await client.run(ClaimDocument, {
          input: {
            request: input,
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
