import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { MAX_STREAMS } from '../../src/server/graphql/eventStream.js';
import { programEnvironment } from '../support/environment.js';
import { subscribe } from '../support/events.js';
import { cases } from '../support/length.js';
import { attack, longAttack, strength } from './attackedServer.js';

/** The maximum extra time of a small query beside the attack, at the 99th percentile (ms). */
const MORE_MS = strength(50, 1_000);

interface Load {
  readonly url: string;
  readonly query: string;
  readonly connections: number;
  readonly address: string;
  readonly ms: number;
  readonly pause?: number;
}

interface Figures {
  readonly median: number;
  readonly p99: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** Only root may raise a priority: without it, delays of the client itself are measured as well. */
const isRoot = process.getuid?.() === 0;

/** Sends a query from its own process. */
async function load({ query, address, ...options }: Load, niceness = 0): Promise<Figures> {
  const child = fork(fileURLToPath(new URL('loadClient.mjs', import.meta.url)), {
    execArgv: [],
    env: programEnvironment(),
  });
  if (niceness > 0 || isRoot) setPriority(child.pid!, niceness);
  const headers = { 'x-forwarded-for': address };
  child.send({ ...options, body: JSON.stringify({ query }), headers, localAddress: '127.0.0.1' });
  const [figures] = (await once(child, 'message')) as [Figures];
  return figures;
}

const SMALL = '{ resourceProviders(first: 1) { nodes { name } } }';
const SEARCH = `{ allocationCandidates(limit: 10, request: { groups: [{ resources: [{ resourceClass: "VCPU", amount: 1 }] }] }) {
  allocationRequests { allocations { resources { amount } } } } }`;
const LARGE = '{ resourceProviders(first: 1000) { nodes { name inventories { total used } } } }';

for (const [what, query, declare] of [
  ['small queries', '{ __typename }', attack],
  ['searches', SEARCH, longAttack],
  ['large pages', LARGE, longAttack],
] as const)
  declare(
    `64 connections of ${what} and all event streams, beside a client with small queries`,
    async ({ url }) => {
      const ms = strength(20_000, cases(1_500, 700));
      const one = { url, query: SMALL, connections: 1, address: '10.0.0.3', ms, pause: 5 };
      const quiet = await load(one);
      const streams = [];
      while (streams.length < MAX_STREAMS)
        streams.push(
          ...(await Promise.all(
            Array.from({ length: 20 }, () =>
              subscribe(url, {}, undefined, { 'x-forwarded-for': '10.0.0.2' }),
            ),
          )),
        );
      const greedy = load({ url, query, connections: 64, address: '10.0.0.1', ms: ms + 1_000 }, 19);
      const beside = await load(one, -15);
      const { statuses } = await greedy;
      process.stderr.write(`${what}: ${JSON.stringify({ quiet, beside, statuses })}\n`);
      expect(beside.statuses).toEqual({ 200: expect.any(Number) as unknown });
      expect(beside.p99).toBeLessThan(quiet.p99 + MORE_MS);
      for (const stream of streams) stream.close();
    },
  );
