import { randomUUID } from 'node:crypto';
import { Option, type Command } from 'commander';
import { ClaimDocument, type ClaimPlacement } from '../../../generated/client/operations.js';
import { action, addCommand } from '../action.js';
import { asText, collect } from '../arguments/amounts.js';
import { RequestArguments, type RequestOptions } from '../arguments/request.js';
import type { Client } from '../connection/client.js';
import { accepted } from '../connection/failure.js';
import { amounts, list, type Output } from '../output/output.js';
import { byProvider } from './consumer.js';

interface ClaimOptions extends RequestOptions {
  readonly consumer?: string[];
  readonly project: string;
  readonly user: string;
  readonly type?: string;
  readonly placement: string;
}

const PLACEMENTS = ['any', 'same-tree', 'distinct-trees'];

export function addClaimCommand(program: Command): void {
  const command = addCommand(
    program,
    'claim [amounts...]',
    'look for a candidate and take it: VCPU=2 MEMORY_MB=4096',
  )
    .option(
      '--consumer <uuid>',
      'who gets it; may be repeated: all or none; made up when nothing is said',
      collect(asText),
    )
    .requiredOption('--project <id>', 'the project that the consumers belong to')
    .requiredOption('--user <id>', 'the user that they belong to')
    .option('--type <type>', 'what kind of consumers they are, such as INSTANCE')
    .addOption(
      new Option('--placement <placement>', 'where several may lie to each other')
        .choices(PLACEMENTS)
        .default('any'),
    );
  const request = new RequestArguments(command);
  command.action(
    action(async (client: Client, options: ClaimOptions, given: string[]) => {
      const { consumer = [randomUUID()], project, user, type, placement } = options;
      const { claim } = await client.run(ClaimDocument, {
        input: {
          request: await request.input(client, given, options),
          consumers: consumer.map((each) => ({
            consumer: each,
            projectId: project,
            userId: user,
            ...(type !== undefined && { consumerType: type }),
          })),
          placement: placement.toUpperCase().replace('-', '_') as ClaimPlacement,
        },
      });
      return claimed(accepted(claim).claims.map((each) => each.consumer));
    }),
  );
}

/** What consumers have got. */
export function claimed(consumers: Parameters<typeof byProvider>[0][]): Output {
  const rows = consumers.flatMap((consumer) => byProvider(consumer).map((taken) => ({ consumer, ...taken })));
  const { blocks } = list(rows, {
    consumer: (each) => each.consumer.uuid,
    provider: (each) => each.name,
    takes: (each) => amounts(each.resources),
  });
  return { data: consumers, blocks };
}
