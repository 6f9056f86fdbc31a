import * as api from '../../generated/client/operations.js';
import { readUuid } from '../arguments.js';
import { command, type Command } from '../command.js';
import { readInput } from '../inputFile.js';
import { Failure } from '../failure.js';
import { flag, number, texts, type OptionValues } from '../options.js';
import { alternativesOf, domainsOf, plan, topologiesOf } from '../plan.js';
import { withDefaults } from '../request.js';
import { claimed } from './claim.js';

const FILE = 'a file of YAML or JSON (schemas/workload.json); - is standard input';

const ROOM_OPTIONS = {
  maxMoves: number('--make-room <number>', 'if it does not fit, move at most this many other consumers', 1),
  consumerTypes: texts('--movable-type <type>', 'a type whose consumers may move; repeatable'),
  projects: texts('--movable-project <project>', 'a project whose consumers may move; repeatable'),
  consumers: texts('--movable <consumer>', 'a consumer that may move; repeatable', readUuid),
};

export const WORKLOAD_COMMANDS: readonly Command[] = [
  command(
    'workload plan <file>',
    `show where the members of a workload would be placed; ${FILE}`,
    {
      plans: number('--plans <number>', 'number of plans, each with its own seed', 1, 1),
      seed: number('--seed <number>', 'the seed of the first plan', 0),
      ...ROOM_OPTIONS,
    },
    async (client, { plans, seed, ...room }, file: string) => {
      const makeRoom = roomOf(room);
      return plan(client, await readWorkload(file), { plans, seed, makeRoom });
    },
  ),
  command(
    'workload claim <file>',
    `place all members of a workload, or none; ${FILE}`,
    { dryRun: flag('--dry-run', 'only show where the consumers would be placed') },
    async (client, { dryRun }, file: string) => {
      const input = await readWorkload(file);
      if (dryRun) return plan(client, input);
      const { claims, members, topology, rejectedTopologies } = await client.mutate(api.ClaimDocument, {
        input,
      });
      const pairs = input.members.flatMap(({ name, consumers }) =>
        consumers.map((each) => [each.consumer, name] as const),
      );
      const placed = claims.map(({ consumer }) => consumer);
      const output = claimed(placed, new Map(pairs));
      const chosen = [
        ...alternativesOf(members),
        ...topologiesOf(rejectedTopologies),
        ...domainsOf(topology),
      ];
      return { ...output, blocks: [...output.blocks, ...chosen] };
    },
  ),
];

function roomOf({ maxMoves, ...movable }: OptionValues<typeof ROOM_OPTIONS>): api.MakeRoomInput | undefined {
  const isNamed = Object.values(movable).some((list) => list !== undefined);
  if ((maxMoves !== undefined) !== isNamed)
    throw Failure.usage('give --make-room together with --movable-type, --movable-project or --movable');
  return maxMoves === undefined ? undefined : { maxMoves, movable };
}

async function readWorkload(file: string): Promise<api.ClaimInput> {
  const { members, ...others } = await readInput<api.ClaimInput>('workload', file);
  const withAll = members.map((member) => ({
    ...member,
    requests: member.requests.map((request) => withDefaults(request)),
  }));
  return { ...others, members: withAll };
}
