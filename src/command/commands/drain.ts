import * as api from '../../generated/client/operations.js';
import { known, reference } from '../arguments.js';
import { askedFor } from '../askedFor.js';
import type { Client } from '../client.js';
import { command } from '../command.js';
import { Failure } from '../failure.js';
import { readInput } from '../inputFile.js';
import { flag, number, text, type OptionValues } from '../options.js';
import { amountsIn, isForPeople, list, say, tableOf, type Output } from '../output.js';
import { totalsOf } from '../plan.js';
import {
  executed,
  executeMove,
  moveOf,
  lossesOf,
  partsOf,
  PLAN_OPTIONS,
  runPlan,
  warnOfLosses,
  type MoveReport,
} from '../planFile.js';
import { withDefaults } from '../request.js';
import { WHAT_IF, whatIfOfPlan } from '../whatIf.js';

type DrainPlan = NonNullable<api.PlanDrainQuery['planDrain']>;
type DrainMove = DrainPlan['moves'][number];

/** Reads a part of a plan: the first one, or the one after a cursor. */
type ReadPart = (after: string | null) => Promise<DrainPlan>;

/** The maximum number of parts that the server plans without executed moves. */
const MAX_PARTS = 5;

/** The request in a saved plan, by which to plan again. */
type Request = Omit<api.PlanDrainQueryVariables, 'whatIf' | 'after'>;

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
    const read = async (request: Request, after: string | null = null): Promise<DrainPlan> => {
      const { planDrain } = await client.run(api.PlanDrainDocument, { ...request, whatIf, after });
      return known(planDrain, 'resource provider', labelOf(request));
    };
    return runPlan(options, {
      kind: 'drain-plan',
      requestOptions: REQUEST_OPTIONS,
      request: () => requestOf(names, options),
      read: (request, isWhole) => (isWhole ? readWhole((after) => read(request, after)) : read(request)),
      movesOf,
      show: planned,
      execute: (request, moves) =>
        drain(client, (after) => read(request, after), labelOf(request), moves, batch),
    });
  },
);

async function requestOf(
  names: readonly string[],
  { aggregate, requests: file, keepTraits, keepAggregates }: OptionValues<typeof OPTIONS>,
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

function movesOf({ moves }: DrainPlan): api.ConsumerAllocationsInput[] {
  return moves.flatMap(({ consumer, allocationRequest }) =>
    allocationRequest ? [moveOf(consumer, consumer.generation, allocationRequest.allocations)] : [],
  );
}

/** Excludes hosts in maintenance unless the request states its own condition. */
function withRequestDefaults(given: api.DrainRequestInput): api.DrainRequestInput {
  const { request } = given;
  return { ...given, request: { ...withDefaults(request), orderBy: request.orderBy } };
}

/** Joins the parts of a plan. The last one has a cursor if there are too many. */
async function readWhole(read: ReadPart): Promise<DrainPlan> {
  const first = await read(null);
  const moves = [...first.moves];
  let last = first;
  for (let parts = 1; last.next !== null && parts < MAX_PARTS; parts++) {
    last = await read(last.next);
    moves.push(...last.moves);
  }
  return { ...last, totalsBefore: first.totalsBefore, moves };
}

/** Executes moves, then plans and executes all parts until no consumer is left or no more can be moved. */
async function drain(
  client: Client,
  read: ReadPart,
  label: string,
  planned: readonly api.ConsumerAllocationsInput[],
  batch: number,
): Promise<Output> {
  const moved: MoveReport[] = [];
  const reasons = new Map<string, string>();
  let hasStalled = planned.length === 0;
  await execute(planned);
  for (;;) {
    const before = moved.length;
    const left: DrainMove[] = [];
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const part: DrainPlan = await read(after);
      warnOfLosses(part.moves);
      await execute(movesOf(part));
      left.push(...part.moves);
      after = part.next;
    }
    if (left.length === 0) return report(moved, []);
    // retries once without progress: another drain may have moved the same consumers
    if (moved.length === before && hasStalled)
      return report(
        moved,
        left.map((move) => stayed(move, reasons)),
      );
    hasStalled = moved.length === before;
  }

  async function execute(moves: readonly api.ConsumerAllocationsInput[]): Promise<void> {
    const before = moved.length;
    for (let at = 0; at < moves.length; at += batch) {
      const outcomes = await Promise.all(
        moves.slice(at, at + batch).map((move) => executeMove(client, move)),
      );
      moved.push(...outcomes.filter(({ reason }) => reason === null));
      for (const { consumer, reason } of outcomes) if (reason !== null) reasons.set(consumer, reason);
      if (isForPeople(client.format)) say(`${label}: ${moved.length - before} of ${moves.length} moves done`);
    }
  }
}

function stayed(move: DrainMove, reasons: ReadonlyMap<string, string>): MoveReport {
  const { uuid } = move.consumer;
  const reason = reasonOf(move) ?? reasons.get(uuid) ?? 'was changed meanwhile';
  return { consumer: uuid, providers: [], reason };
}

const REASONS: Record<NonNullable<DrainMove['code']>, string> = {
  SEVERAL_ROWS: 'is stored in several spellings: delete it',
  SEVERAL_TREES: 'has allocations in several trees',
  KEPT: 'holds the former allocations of a move: delete it after the move',
};

function reasonOf({ code, explanation }: DrainMove): string | undefined {
  return code === null ? explanation?.summary : REASONS[code];
}

function report(moved: readonly MoveReport[], left: readonly MoveReport[]): Output {
  return executed({ moved, left }, moved, left, 'cannot go');
}

function planned(plan: DrainPlan): Output {
  const columns = {
    consumer: 'consumer.uuid',
    type: { wide: 'consumer.type.name' },
    workload: { wide: 'consumer.workload.name' },
    request: { wide: ({ requestSource }: DrainMove) => requestSource.toLowerCase() },
    'asked for': ({ consumer: { request } }: DrainMove) => request && askedFor(request.input),
    'would go to': ({ allocationRequest }: DrainMove) =>
      allocationRequest && partsOf(allocationRequest.allocations),
    'cannot go': reasonOf,
  };
  const totals = totalsOf(plan.totalsBefore, plan.totalsAfter);
  const { blocks } = list(plan.moves, columns, 'the tree has no consumers');
  const more =
    plan.next === null ? [] : ['more consumers follow: execute these moves before you plan the rest'];
  return {
    data: plan,
    blocks: [...blocks, ...more, ...storageOf(plan.moves), ...lossesOf(plan.moves), ...totals],
  };
}

/** Shows the amounts that moves take to shared storage, and from it. */
function storageOf(moves: readonly DrainMove[]): Output['blocks'] {
  const rows = moves
    .filter(({ movedToSharing, movedFromSharing }) => movedToSharing.length + movedFromSharing.length > 0)
    .map(({ consumer: { uuid }, movedToSharing, movedFromSharing }) => ({
      consumer: uuid,
      'to shared storage': amountsIn(movedToSharing),
      'from shared storage': amountsIn(movedFromSharing),
    }));
  return rows.length > 0 ? [tableOf(rows)] : [];
}
