import * as api from '../../../generated/client/operations.js';
import { excluding, known, reference } from '../arguments.js';
import type { Client } from '../client.js';
import { command } from '../command.js';
import { EXIT, Failure } from '../failure.js';
import { readInput } from '../inputFile.js';
import { flag, number, text } from '../options.js';
import { amounts, amountsOf, isForPeople, list, tableOf, type Output } from '../output.js';
import { totalsOf } from '../plan.js';
import { withDefaults } from '../request.js';
import { claimOf } from './claim.js';
import { byProvider } from './consumer.js';

type StoredPlan = NonNullable<api.PlanDrainQuery['planDrain']>;
type Move = StoredPlan['moves'][number] & { readonly request: api.AllocationCandidatesInput };
type Plan = Omit<StoredPlan, 'moves'> & { readonly moves: readonly Move[] };

/** The providers that a consumer was moved to, or the reason why it was not moved. */
interface Outcome {
  readonly consumer: string;
  readonly providers: readonly string[];
  readonly reason: string | null;
}

export const DRAIN = command(
  'drain <provider>',
  'move all consumers out of the tree of a provider; an interrupted drain can be run again',
  {
    dryRun: flag('--dry-run', 'only print where the consumers would go'),
    file: text(
      '--requests <file>',
      'the requests of the consumers, YAML or JSON (schemas/drain.json); defaults to their amounts as one group',
    ),
    batch: number('--batch <number>', 'number of consumers to move at the same time', 1, 10),
  },
  async (client, { dryRun, file, batch }, name: string) => {
    const given = file === undefined ? [] : await readInput<api.DrainRequestInput[]>('drain', file);
    const requests = given.map((each) => ({ ...each, request: withDefaults(each.request) }));
    const read = (): Promise<Plan> => readPlan(client, name, requests);
    if (dryRun) return planned(await read());
    const moved: Outcome[] = [];
    let hasStalled = false;
    for (let plan = await read(); plan.moves.length > 0; plan = await read()) {
      const { root, moves } = plan;
      const before = moved.length;
      const movable = moves.filter(({ allocationRequest }) => allocationRequest !== null);
      for (let at = 0; at < movable.length; at += batch) {
        const batchMoves = movable.slice(at, at + batch);
        const outcomes = await Promise.all(batchMoves.map((move) => moveOne(client, root, move)));
        moved.push(...outcomes.filter(({ reason }) => reason === null));
        if (isForPeople(client.format))
          console.error(`${root.name}: ${moved.length - before} of ${moves.length} moved`);
      }
      // another drain may have moved the same consumers: the next plan shows it
      if (moved.length === before && hasStalled) return report(moved, moves.map(stayed));
      hasStalled = moved.length === before;
    }
    return report(moved, []);
  },
);

/** Plans the drain, with the defaults of the command line also for the consumers without a given request. */
async function readPlan(
  client: Client,
  name: string,
  requests: readonly api.DrainRequestInput[],
): Promise<Plan> {
  const { planDrain } = await client.run(api.PlanDrainDocument, {
    resourceProvider: reference(name),
    requests: [...requests],
  });
  const { moves, ...plan } = known(planDrain, 'resource provider', name);
  const derived = moves.flatMap(({ consumer: { uuid }, derivedResources }) =>
    derivedResources === null
      ? []
      : {
          consumers: { uuid },
          request: withDefaults({ groups: [{ resources: amountsOf(derivedResources) }] }),
        },
  );
  if (derived.length > 0) return readPlan(client, name, [...requests, ...derived]);
  return {
    ...plan,
    moves: moves.map((move) => ({ ...move, request: requests[move.requestIndex!].request })),
  };
}

/** Moves a consumer by one claim. After a conflict or without capacity the consumer stays until the next plan. */
async function moveOne(
  client: Client,
  root: Plan['root'],
  { consumer: { uuid: consumer, generation, projectId, userId }, request: given }: Move,
): Promise<Outcome> {
  const request = excluding(given, [root]);
  const owner = { projectId: projectId ?? '', userId: userId ?? '' };
  const input = claimOf(request, [{ consumer, generation, ...owner }]);
  try {
    const { claims } = await client.mutate(api.ClaimDocument, { input });
    const providers = byProvider(claims[0].consumer).map(({ name }) => name);
    return { consumer, providers, reason: null };
  } catch (error) {
    if (!(error instanceof Failure) || (error.exit !== EXIT.refused && error.exit !== EXIT.conflict))
      throw error;
    return { consumer, providers: [], reason: error.message };
  }
}

function stayed({ consumer, explanation }: Move): Outcome {
  return { consumer: consumer.uuid, providers: [], reason: explanation?.summary ?? 'was changed meanwhile' };
}

function report(moved: readonly Outcome[], left: readonly Outcome[]): Output {
  if (left.length > 0) process.exitCode = EXIT.refused;
  const columns = { consumer: 'consumer', 'moved to': (each: Outcome) => each.providers.join(', ') };
  const { blocks } = list(moved, columns, 'nothing was moved');
  const notMoved = left.length === 0 ? [] : [tableOf(left, { consumer: 'consumer', 'cannot go': 'reason' })];
  return { data: { moved, left }, blocks: [...blocks, ...notMoved] };
}

function planned(plan: Plan): Output {
  const columns = {
    consumer: 'consumer.uuid',
    type: { wide: 'consumer.type.name' },
    'would go to': ({ allocationRequest }: Move) =>
      allocationRequest?.allocations
        .map(
          ({ resourceProvider, resources }) => `${resourceProvider.name}: ${amounts(amountsOf(resources))}`,
        )
        .join('; '),
    'cannot go': 'explanation.summary',
  };
  const totals = totalsOf(plan.totalsBefore, plan.totalsAfter);
  return { data: plan, blocks: [...list(plan.moves, columns, 'nothing is in the tree').blocks, ...totals] };
}
