import * as api from '../../../generated/client/operations.js';
import { known, reference } from '../arguments.js';
import type { Client } from '../client.js';
import { command } from '../command.js';
import { EXIT, Failure } from '../failure.js';
import { readInput } from '../inputFile.js';
import { flag, number, text } from '../options.js';
import { amounts, amountsOf, isForPeople, list, tableOf, type Output } from '../output.js';
import { totalsOf } from '../plan.js';
import { withDefaults } from '../request.js';
import { WHAT_IF, whatIfOf } from '../whatIf.js';
import { byProvider } from './consumer.js';

type Plan = NonNullable<api.PlanDrainQuery['planDrain']>;
type Move = Plan['moves'][number];

/** The providers that a consumer was moved to, or the reason why it was not moved. */
interface Outcome {
  readonly consumer: string;
  readonly providers: readonly string[];
  readonly reason: string | null;
}

export const DRAIN = command(
  'drain [providers...]',
  'move all consumers out of the trees of providers; an interrupted drain can be run again',
  {
    aggregate: text('--aggregate <aggregate>', 'the trees with a provider in this aggregate', reference),
    dryRun: flag('--dry-run', 'only print where the consumers would go'),
    file: text(
      '--requests <file>',
      'the requests of the consumers, YAML or JSON (schemas/drain.json); derived from their allocations if omitted',
    ),
    keepTraits: flag('--keep-traits', 'keep the traits that all providers of a consumer have'),
    keepAggregates: flag('--keep-aggregates', 'keep the aggregates that all providers of a consumer are in'),
    ...WHAT_IF,
    batch: number('--batch <number>', 'number of consumers to move at the same time', 1, 10),
  },
  async (client, options, names: string[]) => {
    const { aggregate, dryRun, file, keepTraits, keepAggregates, batch, ...modified } = options;
    const whatIf = whatIfOf(modified);
    if (whatIf !== undefined && !dryRun) throw Failure.usage('a drain in a modified fleet needs --dry-run');
    if (names.length > 0 === (aggregate !== undefined))
      throw Failure.usage('name the providers to drain, or an aggregate');
    const given = file === undefined ? [] : await readInput<api.DrainRequestInput[]>('drain', file);
    const variables: api.PlanDrainQueryVariables = {
      from: aggregate === undefined ? { providers: names.map(reference) } : { aggregate },
      requests: given.map(withRequestDefaults),
      keepTraits: keepTraits ?? false,
      keepAggregates: keepAggregates ?? false,
      whatIf,
    };
    const label = aggregate === undefined ? names.join(', ') : (aggregate.name ?? aggregate.uuid);
    const read = async (): Promise<Plan> => {
      const { planDrain } = await client.run(api.PlanDrainDocument, variables);
      return known(planDrain, 'resource provider', label);
    };
    return dryRun ? planned(await read()) : drain(client, read, label, batch);
  },
);

/** Excludes hosts in maintenance unless the request states its own condition. */
function withRequestDefaults(given: api.DrainRequestInput): api.DrainRequestInput {
  const { request } = given;
  return { ...given, request: { ...withDefaults(request), orderBy: request.orderBy } };
}

/** Carries out plans until nothing is left, or nothing more can be moved. */
async function drain(
  client: Client,
  read: () => Promise<Plan>,
  label: string,
  batch: number,
): Promise<Output> {
  const moved: Outcome[] = [];
  let hasStalled = false;
  for (let plan = await read(); plan.moves.length > 0; plan = await read()) {
    const { moves } = plan;
    const before = moved.length;
    const movable = moves.filter(({ allocationRequest }) => allocationRequest !== null);
    for (let at = 0; at < movable.length; at += batch) {
      const outcomes = await Promise.all(movable.slice(at, at + batch).map((move) => moveOne(client, move)));
      moved.push(...outcomes.filter(({ reason }) => reason === null));
      if (isForPeople(client.format))
        console.error(`${label}: ${moved.length - before} of ${moves.length} moved`);
    }
    // another drain may have moved the same consumers: the next plan shows it
    if (moved.length === before && hasStalled) return report(moved, moves.map(stayed));
    hasStalled = moved.length === before;
  }
  return report(moved, []);
}

/** Moves a consumer as planned. After a conflict or without capacity it stays until the next plan. */
async function moveOne(client: Client, { consumer, allocationRequest }: Move): Promise<Outcome> {
  const { uuid, generation, projectId, userId } = consumer;
  const allocations = { claimToken: allocationRequest!.claimToken };
  const owner = { projectId: projectId ?? '', userId: userId ?? '' };
  const input = { consumers: [{ consumer: uuid, generation, ...owner, allocations }] };
  try {
    const { consumers } = await client.mutate(api.SetAllocationsDocument, { input });
    const providers = byProvider(consumers[0]).map(({ name }) => name);
    return { consumer: uuid, providers, reason: null };
  } catch (error) {
    if (!(error instanceof Failure) || (error.exit !== EXIT.refused && error.exit !== EXIT.conflict))
      throw error;
    return { consumer: uuid, providers: [], reason: error.message };
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
  const toShared = plan.moves.flatMap(({ consumer: { uuid }, movedToSharing }) =>
    movedToSharing.length > 0 ? [{ consumer: uuid, amounts: amounts(amountsOf(movedToSharing)) }] : [],
  );
  const shared =
    toShared.length > 0 ? [tableOf(toShared, { consumer: 'consumer', 'to shared storage': 'amounts' })] : [];
  const { blocks } = list(plan.moves, columns, 'nothing is in the tree');
  return { data: plan, blocks: [...blocks, ...shared, ...totals] };
}
