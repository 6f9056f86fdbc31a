import * as api from '../../generated/client/operations.js';
import { readUuid, reference } from '../arguments.js';
import type { Client } from '../client.js';
import { command } from '../command.js';
import { Failure } from '../failure.js';
import { readInput } from '../inputFile.js';
import { choice, flag, number, text, texts, type OptionValues } from '../options.js';
import { isForPeople, list, percent, say, tableOf, type Output } from '../output.js';
import {
  executed,
  executeMove,
  lossesOf,
  moveOf,
  partsOf,
  PLAN_OPTIONS,
  runPlan,
  warnOfLosses,
  type MoveReport,
} from '../planFile.js';
import { WHAT_IF, whatIfOfPlan } from '../whatIf.js';

type RebalancePlan = NonNullable<api.PlanRebalanceQuery['planRebalance']>;
type RebalanceMove = RebalancePlan['moves'][number];

const REQUEST_OPTIONS = {
  maxMoves: number('--max-moves <number>', 'maximum number of moves (default: 100)', 1),
  scope: text('--scope <aggregate>', 'only the hosts of this aggregate', reference),
  minGain: text('--min-gain <gain>', 'the minimum gain: hosts, utilization (0 to 1) or faults', readGain),
  resourceClasses: texts('--class <class>', 'a class whose utilization counts; repeatable; defaults to all'),
  keep: texts('--keep <consumer>', 'a consumer that never moves; repeatable', readUuid),
  keepTraits: flag('--keep-traits', 'keep the traits that all providers of a consumer have'),
  keepTypes: texts('--keep-type <type>', 'a type whose consumers never move; repeatable'),
  requests: text(
    '--requests <file>',
    'the requests of the consumers, YAML or JSON (schemas/drain.json); defaults to the shape of their allocations',
  ),
};

const OPTIONS = {
  goal: choice<api.RebalanceGoal>('--goal <goal>', 'what to improve', {
    FREE_HOSTS: true,
    EVEN_OUT: true,
    FIX: true,
  }),
  ...REQUEST_OPTIONS,
  ...PLAN_OPTIONS,
  ...WHAT_IF,
};

export const REBALANCE = command(
  'rebalance',
  'move consumers to free hosts, even out their utilization or fix faults',
  OPTIONS,
  async (client, options) => {
    const { goal, plan } = options;
    const whatIf = whatIfOfPlan(options);
    if ((goal === undefined) === (plan === undefined))
      throw Failure.usage('give either --goal or --plan, a file that --save has written');
    return runPlan(options, {
      kind: 'rebalance-plan',
      requestOptions: REQUEST_OPTIONS,
      request: () => requestOf(goal!, options),
      read: (request) => read(client, request, whatIf),
      movesOf,
      show: shown,
      execute: (request, moves) => execute(client, request, moves),
    });
  },
);

function readGain(value: string): number {
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  throw Failure.usage(`"${value}" must be a number from 0`);
}

async function requestOf(
  goal: api.RebalanceGoal,
  options: OptionValues<typeof OPTIONS>,
): Promise<api.RebalanceInput> {
  const { requests: file, maxMoves = 100, scope, minGain, resourceClasses } = options;
  const { keep, keepTypes, keepTraits } = options;
  const requests = file === undefined ? undefined : await readInput<api.DrainRequestInput[]>('drain', file);
  return { goal, maxMoves, scope, minGain, resourceClasses, keep, keepTypes, keepTraits, requests };
}

async function read(
  client: Client,
  input: api.RebalanceInput,
  whatIf?: api.WhatIfInput,
): Promise<RebalancePlan> {
  return (await client.run(api.PlanRebalanceDocument, { input, whatIf })).planRebalance!;
}

function movesOf({ moves }: RebalancePlan): api.ConsumerAllocationsInput[] {
  return moves.map(({ consumer, generation, to }) => moveOf(consumer, generation, to));
}

/** Executes moves in order. After a failed move it plans again, as long as some move succeeds. */
async function execute(
  client: Client,
  request: api.RebalanceInput,
  planned: readonly api.ConsumerAllocationsInput[],
): Promise<Output> {
  const limit = request.maxMoves ?? planned.length;
  const moved: MoveReport[] = [];
  let moves = planned;
  for (;;) {
    const before = moved.length;
    const failed = await executeInOrder(client, moves, moved);
    if (isForPeople(client.format)) say(`${moved.length} consumers moved`);
    if (failed === null) return report(moved, null);
    if (moved.length >= limit || (moved.length === before && moves !== planned)) return report(moved, failed);
    const again = await read(client, { ...request, maxMoves: limit - moved.length });
    if (again.moves.length === 0) return report(moved, null);
    warnOfLosses(again.moves);
    moves = movesOf(again);
  }
}

/** Executes moves until one fails. Adds the successful ones to `moved`. Returns the failed one. */
async function executeInOrder(
  client: Client,
  moves: readonly api.ConsumerAllocationsInput[],
  moved: MoveReport[],
): Promise<MoveReport | null> {
  for (const move of moves) {
    const outcome = await executeMove(client, move);
    if (outcome.reason !== null) return outcome;
    moved.push(outcome);
  }
  return null;
}

function report(moved: readonly MoveReport[], failed: MoveReport | null): Output {
  return executed({ moved, failed }, moved, failed === null ? [] : [failed], 'cannot move');
}

function shown(plan: RebalancePlan): Output {
  const columns = {
    consumer: 'consumer.uuid',
    from: ({ from }: RebalanceMove) => partsOf(from),
    to: ({ to }: RebalanceMove) => partsOf(to),
  };
  const { outcome, moves, before, after, gain, moveCount, optimal } = plan;
  const result =
    outcome === 'UNDECIDED'
      ? 'the search ended early and found nothing worth moving'
      : 'nothing worth moving';
  const none = moveCount === 0 ? result : `${result}: ${moveCount} moves would gain ${gain}`;
  const metrics = [
    { metric: 'used hosts', now: before.usedHosts, then: after.usedHosts },
    {
      metric: 'maximum utilization',
      now: percent(before.maxUtilization),
      then: percent(after.maxUtilization),
    },
    { metric: 'inventories over capacity', now: before.overCapacityCount, then: after.overCapacityCount },
    { metric: 'broken relations', now: before.brokenRelationCount, then: after.brokenRelationCount },
    { metric: 'faulty consumers', now: before.faultyConsumerCount, then: after.faultyConsumerCount },
  ].filter(({ now }) => now !== null);
  return {
    data: plan,
    blocks: [
      ...list(moves, columns, none).blocks,
      ...lossesOf(moves),
      tableOf(metrics),
      ...(optimal ? [] : ['a better plan may exist: the search could not prove the opposite']),
    ],
  };
}
