import { randomUUID } from 'node:crypto';
import { median } from '../bootstrap.js';
import type { Client } from '../client.js';
import { interleaved, timed, type Load } from '../measure.js';
import { claimOf } from '../requests.js';
import type { ServerProcess } from '../serverProcess.js';
import type { FleetTargets } from '../targets.js';
import type { Reference } from './reference.js';

export const CLIENTS = 16;

/** A row of the table: the times or the rates of both programs. */
export interface Row {
  readonly what: string;
  readonly times: number;
  readonly here: string;
  readonly there: string;
}

/** Both programs on one database. */
export interface Beside {
  readonly client: Client;
  readonly server: ServerProcess;
  readonly reference: Reference;
  readonly targets: FleetTargets;
  readonly repetitions: number;
}

/** Placement takes seconds for some requests, so it gets a small part of the rounds of a short request. */
const ROUNDS_SHARE = 1 / 30;

/**
 * The time and the minimum number of requests to this server in each round: the first requests after the idle seconds
 * in which Placement answers are slower.
 */
const ROUND_MS = 1_000;
const REQUESTS_PER_ROUND = 20;

/** Sends a request to this server and to Placement in turn, and compares the medians of their times. */
export async function timesRow(
  what: string,
  own: () => Promise<unknown>,
  other: () => Promise<unknown>,
  repetitions: number,
): Promise<Row> {
  const send = timed(own);
  const ours = async (): Promise<number> => {
    const times: number[] = [];
    const end = performance.now() + ROUND_MS;
    while (times.length < REQUESTS_PER_ROUND || performance.now() < end) times.push(await send());
    return median(times);
  };
  const [here, there] = await interleaved([ours, timed(other)], Math.ceil(repetitions * ROUNDS_SHARE));
  return {
    what,
    times: there.median / here.median,
    here: milliseconds(here.median),
    there: milliseconds(there.median),
  };
}

/** The claims of {@link Claims}, sent to Placement. */
export function referenceClaims(reference: Reference, providers: readonly string[]): Load {
  const consumers: string[] = [];
  let next = 0;
  const claim = timed(async () => {
    const consumer = randomUUID();
    const { status, body } = await reference.send(
      'PUT',
      `/allocations/${consumer}`,
      restClaim(claimOf(consumer, providers[next++ % providers.length])),
    );
    if (status !== 204) throw new Error(`a claim failed: ${status} ${JSON.stringify(body)}`);
    consumers.push(consumer);
  });
  return {
    clients: Array.from({ length: CLIENTS }, () => claim),
    async cleanUp() {
      for (const consumer of consumers.splice(0)) await reference.send('DELETE', `/allocations/${consumer}`);
    },
  };
}

/** Returns the request body of a claim for Placement. */
export function restClaim({ type, projectId, userId, allocations }: ReturnType<typeof claimOf>): object {
  const [{ resourceProvider, resources }] = allocations.providers;
  const amounts = resources.map(({ resourceClass, amount }) => [resourceClass, amount] as const);
  return {
    allocations: { [resourceProvider.uuid]: { resources: Object.fromEntries(amounts) } },
    project_id: projectId,
    user_id: userId,
    consumer_type: type,
    consumer_generation: null,
  };
}

const milliseconds = (ms: number): string =>
  `${ms < 10 ? ms.toFixed(2) : Math.round(ms).toLocaleString('en')} ms`;

export const perSecond = (rate: number): string => `${Math.round(rate)}/s`;
