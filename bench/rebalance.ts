import type { Bench } from './bench.js';
import { timeFigure, type Figure } from './figure.js';
import { Samples } from './samples.js';

const MAX_MOVES = 500;
/** The maximum time of a plan of this many moves (ms). */
const MAX_PLAN_MS = 10_000;

const PLAN = `query ($input: RebalanceInput!) {
  planRebalance(input: $input) {
    optimal gain moveCount
    before { usedHosts maxUtilization overCapacityCount faultyConsumerCount }
    after { usedHosts maxUtilization overCapacityCount faultyConsumerCount }
    moves { consumer { uuid } generation claimToken }
  }
}`;

interface Plan {
  readonly gain: number;
  readonly moveCount: number;
}

/** Measures one plan for each goal, for the whole fleet. */
export async function rebalanceFigures(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const goal of ['FREE_HOSTS', 'EVEN_OUT', 'FIX']) figures.push(await rebalanceFigure(bench, goal));
  return figures;
}

async function rebalanceFigure({ hosts, options, client }: Bench, goal: string): Promise<Figure> {
  const input = { goal, maxMoves: MAX_MOVES, resourceClasses: ['VCPU', 'MEMORY_MB'] };
  const { planRebalance } = await client.ask<{ planRebalance: Plan }>(PLAN, { input });
  const samples = new Samples();
  for (let round = 0; round < Math.max(3, options.repetitions / 60); round++)
    samples.add((await client.send(PLAN, { input })).ms);
  return timeFigure(samples, {
    hosts,
    what: `rebalance plan, ${goal}`,
    detail: `${planRebalance.moveCount} moves gain ${planRebalance.gain}`,
    checks: [{ bar: { atMost: MAX_PLAN_MS } }],
  });
}
