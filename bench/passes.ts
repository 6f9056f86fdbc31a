import type { Bench } from './bench.js';
import { against, timeFigure, type Figure } from './figure.js';
import { LatencyMonitor } from './latencyMonitor.js';
import { interleaved } from './measure.js';
import { MINIMAL } from './client.js';
import { fleetInputs } from './requests.js';

/** The maximum wait of another client meanwhile (ms). */
const LONGEST_WAIT = 50;

/** Measures queries that read every provider of the fleet. They yield to other queries. */
export async function passFigures({ hosts, options, server, client, targets }: Bench): Promise<Figure[]> {
  const { q1, q5 } = fleetInputs(targets);
  const explained = `query ($request: AllocationCandidatesInput!) {
    allocationCandidates(request: $request, limit: 10) { explanation { summary } }
  }`;
  const headroom = `query ($request: AllocationCandidatesInput!) { headroom(request: $request) { count } }`;
  const passes: readonly [name: string, document: string, variables?: object][] = [
    ['totals of the fleet', '{ fleetTotals { nodes { capacity used } } }'],
    ['totals by aggregate', '{ fleetTotals(groupBy: AGGREGATE, first: 100) { nodes { capacity used } } }'],
    ['why q5 fits nowhere', explained, { request: q5 }],
    ['how often q1 fits', headroom, { request: q1 }],
  ];
  const figures: Figure[] = [];
  for (const [what, document, variables] of passes) {
    const ask = async (): Promise<number> => {
      const { ms, text } = await client.send(document, variables);
      if (text().includes('"errors"')) throw new Error(text().slice(0, 500));
      return ms;
    };
    const [own, least] = await interleaved([ask, client.minimal], Math.ceil(options.repetitions / 10));
    const pulse = await LatencyMonitor.start(server.url);
    for (let round = 0; round < 5; round++) await ask();
    const { longest } = await pulse.stop();
    figures.push(timeFigure(own, { hosts, what, detail: '', checks: [against(MINIMAL, least)] }), {
      hosts,
      what: `others during ${what}`,
      value: longest,
      unit: 'ms',
      count: 5,
      detail: `the longest wait for ${MINIMAL} on a second connection`,
      checks: [{ bar: { atMost: LONGEST_WAIT } }],
    });
  }
  return figures;
}
