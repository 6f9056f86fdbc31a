import type { Command } from 'commander';
import {
  ClaimDocument,
  PlanDrainDocument,
  type DrainRequestInput,
  type PlanDrainQuery,
} from '../../../generated/client/operations.js';
import { action, addCommand, formatOf, type OutputOptions } from '../action.js';
import { wholeNumber } from '../arguments/amounts.js';
import { readInput } from '../arguments/file.js';
import { known, providerUuid } from '../arguments/providers.js';
import type { Client } from '../connection/client.js';
import { accepted, EXIT, Failure } from '../connection/failure.js';
import { amounts, list, tableOf, type Output } from '../output/output.js';
import { byProvider } from './consumer.js';

interface DrainOptions extends OutputOptions {
  readonly dryRun?: boolean;
  readonly requests?: string;
  readonly batch: number;
}

type Plan = NonNullable<PlanDrainQuery['planDrain']>;
type Move = Plan['moves'][number];

/** What became of a consumer; nothing is where it has not got a new place. */
interface Outcome {
  readonly consumer: string;
  readonly providers: readonly string[];
  readonly reason: string | null;
}

export function addDrainCommand(program: Command): void {
  addCommand(
    program,
    'drain <provider>',
    'move everything out of the tree of a provider; run again, it goes on',
  )
    .option('--dry-run', 'change nothing, tell where everything would go')
    .option(
      '--requests <file>',
      'what consumers ask for, JSON or YAML of [DrainRequestInput!]; otherwise what they have, as one group',
    )
    .option('--batch <number>', 'how many are moved at the same time', wholeNumber(1), 10)
    .action(action(drain));
}

async function drain(client: Client, options: DrainOptions, text: string): Promise<Output> {
  const { dryRun, requests: file, batch } = options;
  const requests = file === undefined ? [] : await readInput<DrainRequestInput[]>(file, '--requests');
  const resourceProvider = await providerUuid(client, text);
  const read = async (): Promise<Plan> => {
    const { planDrain } = await client.run(PlanDrainDocument, { resourceProvider, requests });
    return known(planDrain, text);
  };
  if (dryRun) return planned(await read());
  const tell = formatOf(options) === 'table' ? console.error : () => undefined;
  const moved: Outcome[] = [];
  let hasStalled = false;
  for (let plan = await read(); plan.moves.length > 0; plan = await read()) {
    const round = await carryOut(
      plan,
      (move) => moveOne(client, plan.root.uuid, requests, move),
      batch,
      tell,
    );
    // A drain beside this one may have moved the same consumers: the next plan shows it.
    if (round.length === 0 && hasStalled) return told(moved, plan.moves.map(stayed));
    hasStalled = round.length === 0;
    moved.push(...round);
  }
  return told(moved, []);
}

/** Moves batch by batch. @returns those that have moved: not where somebody else was faster, or took the room, which the next plan shows */
async function carryOut(
  { root, moves }: Plan,
  move: (move: Move) => Promise<Outcome>,
  batch: number,
  tell: (line: string) => void,
): Promise<Outcome[]> {
  const movable = moves.filter(({ allocationRequest }) => allocationRequest !== null);
  const moved: Outcome[] = [];
  for (let at = 0; at < movable.length; at += batch) {
    const outcomes = await Promise.all(movable.slice(at, at + batch).map(move));
    moved.push(...outcomes.filter(({ reason }) => reason === null));
    tell(`${root.name}: ${moved.length} of ${moves.length} moved`);
  }
  return moved;
}

async function moveOne(
  client: Client,
  root: string,
  requests: readonly DrainRequestInput[],
  { consumer: { uuid, generation, projectId, userId }, requestIndex, derivedResources }: Move,
): Promise<Outcome> {
  const given =
    requestIndex === null
      ? { groups: [{ resources: derivedResources ?? [] }] }
      : requests[requestIndex].request;
  const request = { ...given, notInTrees: [...new Set([...(given.notInTrees ?? []), root])] };
  const consumers = [{ consumer: uuid, consumerGeneration: generation, projectId, userId }];
  try {
    const { claim } = await client.run(ClaimDocument, { input: { request, consumers } });
    const [{ consumer }] = accepted(claim).claims;
    return { consumer: uuid, providers: byProvider(consumer).map(({ name }) => name), reason: null };
  } catch (error) {
    if (!(error instanceof Failure) || (error.exit !== EXIT.refused && error.exit !== EXIT.conflict))
      throw error;
    return { consumer: uuid, providers: [], reason: error.message };
  }
}

function stayed({ consumer, explanation }: Move): Outcome {
  return { consumer: consumer.uuid, providers: [], reason: explanation?.summary ?? 'was changed meanwhile' };
}

function told(moved: readonly Outcome[], left: readonly Outcome[]): Output {
  if (left.length > 0) process.exitCode = EXIT.refused;
  return {
    data: { moved, left },
    blocks: [
      ...list(
        moved,
        { consumer: (each) => each.consumer, 'moved to': (each) => each.providers.join(', ') },
        'nothing was moved',
      ).blocks,
      ...(left.length > 0
        ? [tableOf(left, { consumer: (each) => each.consumer, 'cannot go': (each) => each.reason })]
        : []),
    ],
  };
}

function planned(plan: Plan): Output {
  const { moves, totalsBefore, totalsAfter } = plan;
  const after = new Map(totalsAfter.map((total) => [total.resourceClass.name, total]));
  const totals = tableOf(totalsBefore, {
    class: (each) => each.resourceClass.name,
    'used/capacity now': (each) => `${each.used}/${each.capacity}`,
    'used/capacity then': ({ resourceClass: { name } }) =>
      `${after.get(name)?.used ?? 0}/${after.get(name)?.capacity ?? 0}`,
  });
  return {
    data: plan,
    blocks: [
      ...list(
        moves,
        {
          consumer: ({ consumer }) => consumer.uuid,
          type: ({ consumer }) => consumer.consumerType,
          'would go to': ({ allocationRequest }) =>
            allocationRequest?.allocations
              .map(({ resourceProvider, resources }) => `${resourceProvider.name}: ${amounts(resources)}`)
              .join('; '),
          'cannot go': ({ explanation }) => explanation?.summary,
        },
        'nothing is in the tree',
      ).blocks,
      totals,
    ],
  };
}
