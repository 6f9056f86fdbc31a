import * as api from '../../../generated/client/operations.js';
import { readUuid, reference } from '../arguments.js';
import type { Client } from '../client.js';
import { command, type Values } from '../command.js';
import { EXIT, Failure } from '../failure.js';
import { readInput } from '../inputFile.js';
import { choice, flag, number, text, texts } from '../options.js';
import { amounts, amountsOf, isForPeople, list, tableOf, type Output } from '../output.js';
import { executeMoves, readPlanFile, writePlanFile, type MoveReport } from '../planFile.js';

type Plan = NonNullable<api.PlanRebalanceQuery['planRebalance']>;
type Move = Plan['moves'][number];

const OPTIONS = {
  goal: choice<api.RebalanceGoal>('--goal <goal>', 'what to improve', ['free-hosts', 'even-out', 'fix']),
  maxMoves: number('--max-moves <number>', 'maximum number of moves', 1, 100),
  scope: text('--scope <aggregate>', 'only the hosts of this aggregate', reference),
  minGain: text(
    '--min-gain <gain>',
    'move nothing for less: hosts, utilization (0 to 1) or faults',
    readGain,
  ),
  resourceClasses: texts('--class <class>', 'a class whose utilization counts; repeatable; defaults to all'),
  keep: texts('--keep <consumer>', 'a consumer that never moves; repeatable', readUuid),
  keepTypes: texts('--keep-type <type>', 'a type whose consumers never move; repeatable'),
  requests: text(
    '--requests <file>',
    'the requests of the consumers, YAML or JSON (schemas/drain.json); defaults to the shape of their allocations',
  ),
  dryRun: flag('--dry-run', 'only show the moves'),
  save: text('--save <file>', 'only write the moves to a file of YAML or JSON (schemas/plan.json)'),
  plan: text('--plan <file>', 'execute the moves of a file; what has changed since is planned again'),
};

export const REBALANCE = command(
  'rebalance',
  'move consumers to free hosts, even out their utilization or fix faults',
  OPTIONS,
  async (client, options) => {
    const { goal, plan: file, dryRun, save } = options;
    if ((goal === undefined) === (file === undefined))
      throw Failure.usage('give either --goal or --plan, a file that --save has written');
    const saved = file === undefined ? null : await readPlanFile<api.RebalanceInput>(file);
    const request = saved?.request ?? (await requestOf(goal!, options));
    if (saved !== null && !dryRun && save === undefined) return execute(client, request, saved.moves);
    const planned = await read(client, request);
    if (save !== undefined) await writePlanFile(save, { request, moves: planned.moves.map(writeOf) });
    if (dryRun || save !== undefined) return shown(planned);
    return execute(client, request, planned.moves.map(writeOf));
  },
);

function readGain(value: string): number {
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  throw Failure.usage(`"${value}" must be a number from 0`);
}

async function requestOf(
  goal: api.RebalanceGoal,
  { requests: file, maxMoves, scope, minGain, resourceClasses, keep, keepTypes }: Values<typeof OPTIONS>,
): Promise<api.RebalanceInput> {
  const requests = file === undefined ? undefined : await readInput<api.DrainRequestInput[]>('drain', file);
  return { goal, maxMoves, scope, minGain, resourceClasses, keep, keepTypes, requests };
}

async function read(client: Client, input: api.RebalanceInput): Promise<Plan> {
  return (await client.run(api.PlanRebalanceDocument, { input })).planRebalance!;
}

/** Returns the move as an input of setAllocations. */
function writeOf({ generation, consumer, to }: Move): api.ConsumerAllocationsInput {
  const providers = to.map(({ resourceProvider: { uuid }, resources }) => ({
    resourceProvider: { uuid },
    resources: amountsOf(resources),
  }));
  const { uuid, projectId, userId } = consumer;
  return {
    consumer: uuid,
    generation,
    projectId: projectId ?? '',
    userId: userId ?? '',
    allocations: { providers },
  };
}

/** Executes moves in their order. After a failure it plans the rest again, as long as a move succeeds. */
async function execute(
  client: Client,
  request: api.RebalanceInput,
  planned: readonly api.ConsumerAllocationsInput[],
): Promise<Output> {
  const limit = request.maxMoves ?? planned.length;
  const moved: MoveReport[] = [];
  let moves = planned;
  for (;;) {
    const { done, failed } = await executeMoves(client, moves);
    moved.push(...done);
    if (isForPeople(client.format)) console.error(`${moved.length} consumers moved`);
    if (failed === null) return report(moved, null);
    if (moved.length >= limit || (done.length === 0 && moves !== planned)) return report(moved, failed);
    const again = await read(client, { ...request, maxMoves: limit - moved.length });
    if (again.moves.length === 0) return report(moved, null);
    moves = again.moves.map(writeOf);
  }
}

function report(moved: readonly MoveReport[], failed: MoveReport | null): Output {
  if (failed !== null) process.exitCode = EXIT.refused;
  const { blocks } = list(moved, { consumer: 'consumer', 'moved to': 'to' }, 'nothing was moved');
  const left = failed === null ? [] : [tableOf([failed], { consumer: 'consumer', 'cannot move': 'reason' })];
  return { data: { moved, failed }, blocks: [...blocks, ...left] };
}

function shown(plan: Plan): Output {
  const columns = {
    consumer: 'consumer.uuid',
    from: ({ from }: Move) => partsOf(from),
    to: ({ to }: Move) => partsOf(to),
  };
  const { moves, before, after, gain, moveCount, optimal } = plan;
  const none =
    moveCount === 0 ? 'nothing worth moving' : `nothing worth moving: ${moveCount} moves would gain ${gain}`;
  const metrics = [
    { metric: 'used hosts', now: before.usedHosts, then: after.usedHosts },
    {
      metric: 'maximum utilization',
      now: percent(before.maxUtilization),
      then: percent(after.maxUtilization),
    },
    { metric: 'inventories over capacity', now: before.overCapacityCount, then: after.overCapacityCount },
    { metric: 'faulty consumers', now: before.faultyConsumerCount, then: after.faultyConsumerCount },
  ].filter(({ now }) => now !== null);
  return {
    data: plan,
    blocks: [
      ...list(moves, columns, none).blocks,
      tableOf(metrics, { metric: 'metric', now: 'now', then: 'then' }),
      ...(optimal ? [] : ['a better plan may exist: the search could not prove the opposite']),
    ],
  };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function partsOf(parts: Move['from']): string {
  return parts
    .map(({ resourceProvider, resources }) => `${resourceProvider.name}: ${amounts(amountsOf(resources))}`)
    .join('; ');
}
