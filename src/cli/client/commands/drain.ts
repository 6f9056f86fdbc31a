import * as api from '../../../generated/client/operations.js';
import { known, reference } from '../arguments.js';
import type { Client } from '../client.js';
import { command } from '../command.js';
import { Failure } from '../failure.js';
import { readInput } from '../inputFile.js';
import { flag, number, text, type Values } from '../options.js';
import { amountsIn, isForPeople, list, tableOf, type Output } from '../output.js';
import { totalsOf } from '../plan.js';
import {
  executed,
  executeMove,
  moveOf,
  partsOf,
  PLAN_OPTIONS,
  runPlan,
  type MoveReport,
} from '../planFile.js';
import { withDefaults } from '../request.js';
import { WHAT_IF, whatIfOfPlan } from '../whatIf.js';

type Plan = NonNullable<api.PlanDrainQuery['planDrain']>;
type Move = Plan['moves'][number];

/** The request in a saved plan, by which to plan again. */
type Request = Omit<api.PlanDrainQueryVariables, 'whatIf'>;

const REQUEST_OPTIONS = {
  requests: text(
    '--requests <file>',
    'the requests of the consumers, YAML or JSON (schemas/drain.json); derived from their allocations if omitted',
  ),
  keepTraits: flag('--keep-traits', 'keep the traits that all providers of a consumer have'),
  keepAggregates: flag('--keep-aggregates', 'keep the aggregates that all providers of a consumer are in'),
};

const OPTIONS = {
  aggregate: text('--aggregate <aggregate>', 'the trees with a provider in this aggregate', reference),
  ...REQUEST_OPTIONS,
  ...PLAN_OPTIONS,
  ...WHAT_IF,
  batch: number('--batch <number>', 'number of consumers to move at the same time', 1, 10),
};

export const DRAIN = command(
  'drain [providers...]',
  'move all consumers out of the trees of providers; an interrupted drain can be run again',
  OPTIONS,
  async (client, options, names: string[]) => {
    const { aggregate, plan, batch } = options;
    const whatIf = whatIfOfPlan(options);
    const sources = [names.length > 0, aggregate !== undefined, plan !== undefined].filter((given) => given);
    if (sources.length !== 1)
      throw Failure.usage('name the providers to drain, an aggregate, or a file that --save has written');
    const read = async (request: Request): Promise<Plan> => {
      const { planDrain } = await client.run(api.PlanDrainDocument, { ...request, whatIf });
      return known(planDrain, 'resource provider', labelOf(request));
    };
    return runPlan(options, {
      kind: 'drain-plan',
      requestOptions: REQUEST_OPTIONS,
      request: () => requestOf(names, options),
      read,
      movesOf,
      show: planned,
      execute: (request, moves) => drain(client, () => read(request), labelOf(request), moves, batch),
    });
  },
);

async function requestOf(
  names: readonly string[],
  { aggregate, requests: file, keepTraits, keepAggregates }: Values<typeof OPTIONS>,
): Promise<Request> {
  const given = file === undefined ? [] : await readInput<api.DrainRequestInput[]>('drain', file);
  return {
    from: aggregate === undefined ? { providers: names.map(reference) } : { aggregate },
    requests: given.map(withRequestDefaults),
    keepTraits: keepTraits ?? false,
    keepAggregates: keepAggregates ?? false,
  };
}

function labelOf({ from: { providers, aggregate } }: Request): string {
  return [providers ?? [], aggregate ?? []]
    .flat()
    .map(({ name, uuid }) => name ?? uuid)
    .join(', ');
}

function movesOf({ moves }: Plan): api.ConsumerAllocationsInput[] {
  return moves.flatMap(({ consumer, allocationRequest }) =>
    allocationRequest ? [moveOf(consumer, consumer.generation, allocationRequest.allocations)] : [],
  );
}

/** Excludes hosts in maintenance unless the request states its own condition. */
function withRequestDefaults(given: api.DrainRequestInput): api.DrainRequestInput {
  const { request } = given;
  return { ...given, request: { ...withDefaults(request), orderBy: request.orderBy } };
}

/** Executes moves and plans again until no consumer is left or no more can be moved. */
async function drain(
  client: Client,
  read: () => Promise<Plan>,
  label: string,
  planned: readonly api.ConsumerAllocationsInput[],
  batch: number,
): Promise<Output> {
  const moved: MoveReport[] = [];
  let hasStalled = planned.length === 0;
  for (let moves = planned; ;) {
    const before = moved.length;
    for (let at = 0; at < moves.length; at += batch) {
      const outcomes = await Promise.all(
        moves.slice(at, at + batch).map((move) => executeMove(client, move)),
      );
      moved.push(...outcomes.filter(({ reason }) => reason === null));
      if (isForPeople(client.format))
        console.error(`${label}: ${moved.length - before} of ${moves.length} moves done`);
    }
    const plan = await read();
    if (plan.moves.length === 0) return report(moved, []);
    // retries once without progress: another drain may have moved the same consumers
    if (moved.length === before && hasStalled) return report(moved, plan.moves.map(stayed));
    hasStalled = moved.length === before;
    moves = movesOf(plan);
  }
}

function stayed({ consumer, explanation }: Move): MoveReport {
  return { consumer: consumer.uuid, providers: [], reason: explanation?.summary ?? 'was changed meanwhile' };
}

function report(moved: readonly MoveReport[], left: readonly MoveReport[]): Output {
  return executed({ moved, left }, moved, left, 'cannot go');
}

function planned(plan: Plan): Output {
  const columns = {
    consumer: 'consumer.uuid',
    type: { wide: 'consumer.type.name' },
    'would go to': ({ allocationRequest }: Move) =>
      allocationRequest && partsOf(allocationRequest.allocations),
    'cannot go': 'explanation.summary',
  };
  const totals = totalsOf(plan.totalsBefore, plan.totalsAfter);
  const toShared = plan.moves
    .filter(({ movedToSharing }) => movedToSharing.length > 0)
    .map(({ consumer: { uuid }, movedToSharing: amounts }) => ({
      consumer: uuid,
      'to shared storage': amountsIn(amounts),
    }));
  const { blocks } = list(plan.moves, columns, 'nothing is in the tree');
  const shared = toShared.length > 0 ? [tableOf(toShared)] : [];
  return { data: plan, blocks: [...blocks, ...shared, ...totals] };
}
