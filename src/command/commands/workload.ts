import * as api from '../../generated/client/operations.js';
import { command, type Command } from '../command.js';
import { readInput } from '../inputFile.js';
import { flag, number } from '../options.js';
import { alternativesOf, domainsOf, plan } from '../plan.js';
import { withDefaults } from '../request.js';
import { claimed } from './claim.js';

const FILE = 'a file of YAML or JSON (schemas/workload.json); - is standard input';

export const WORKLOAD_COMMANDS: readonly Command[] = [
  command(
    'workload plan <file>',
    `show where the members of a workload would be placed; ${FILE}`,
    {
      plans: number('--plans <number>', 'number of plans, each with its own seed', 1, 1),
      seed: number('--seed <number>', 'the seed of the first plan', 0),
    },
    async (client, { plans, seed }, file: string) => plan(client, await readWorkload(file), plans, seed),
  ),
  command(
    'workload claim <file>',
    `place all members of a workload, or none; ${FILE}`,
    { dryRun: flag('--dry-run', 'only show where the consumers would be placed') },
    async (client, { dryRun }, file: string) => {
      const input = await readWorkload(file);
      if (dryRun) return plan(client, input);
      const { claims, members, topology } = await client.mutate(api.ClaimDocument, { input });
      const pairs = input.members.flatMap(({ name, consumers }) =>
        consumers.map((each) => [each.consumer, name] as const),
      );
      const placed = claims.map(({ consumer }) => consumer);
      const output = claimed(placed, new Map(pairs));
      return { ...output, blocks: [...output.blocks, ...alternativesOf(members), ...domainsOf(topology)] };
    },
  ),
];

async function readWorkload(file: string): Promise<api.ClaimInput> {
  const { members, ...others } = await readInput<api.ClaimInput>('workload', file);
  const withAll = members.map((member) => ({
    ...member,
    requests: member.requests.map((request) => withDefaults(request)),
  }));
  return { ...others, members: withAll };
}
