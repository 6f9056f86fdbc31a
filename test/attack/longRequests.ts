import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Database } from '../../src/store/database/database.js';
import { zoneAggregate } from '../../src/tools/demo/fleet.js';
import { longAttack, strength } from './attackedServer.js';
import { ask, codesOf, expectAnswersTo } from './requests.js';

const CONSUMERS = 1_000;

/** The number of requests in a statement, below the size limit of statements. */
const AT_ONCE = 20;

/** Stores a request of many aggregates for each of some consumers. All texts have the same length and beginning. */
async function rememberLongRequests({ prisma }: Database, aggregates: number): Promise<void> {
  const consumers = await prisma.consumer.findMany({ take: CONSUMERS, orderBy: { id: 'asc' } });
  const list = Array.from({ length: aggregates }, () => ({ uuid: randomUUID() }));
  const createdAt = new Date();
  const bodies = consumers.map(({ uuid }) => {
    const groups = [{ memberOf: [list], resources: [{ amount: 1, resourceClass: 'VCPU' }] }];
    return JSON.stringify({ groups, rootForbiddenAggregates: [{ uuid }] });
  });
  const hashes = consumers.map(({ uuid }) => uuid.replaceAll('-', '').padEnd(64, '0'));
  await prisma.consumerRequest.deleteMany();
  for (let at = 0; at < bodies.length; at += AT_ONCE) {
    const rows = bodies.slice(at, at + AT_ONCE).map((body, position) => ({
      ...{ hash: hashes[at + position], body, createdAt },
    }));
    await prisma.rememberedRequest.createMany({ data: rows });
  }
  const stored = await prisma.rememberedRequest.findMany({ select: { id: true, hash: true } });
  const ids = new Map(stored.map(({ id, hash }) => [hash, id]));
  await prisma.consumerRequest.createMany({
    data: consumers.map(({ id }, at) => ({
      ...{ consumerId: id, requestId: ids.get(hashes[at])!, createdAt },
    })),
  });
}

async function forgetRequests({ prisma }: Database): Promise<void> {
  await prisma.consumerRequest.deleteMany();
  await prisma.rememberedRequest.deleteMany();
}

const PLAN = '{ planRebalance(input: { goal: FIX, maxMoves: 1 }) { moveCount } }';

longAttack('plans for 1,000 consumers with requests of 650 aggregates', async ({ url, database }) => {
  await rememberLongRequests(database, 650);
  await expectAnswersTo(url, PLAN, strength(4, 2));
  const drain = `{ planDrain(from: { aggregate: { uuid: "${zoneAggregate(0, 1)}" } }) { next } }`;
  await expectAnswersTo(url, drain, 2);
  await forgetRequests(database);
});

longAttack('requests of 4,500 aggregates for 1,000 consumers', async ({ url, database }) => {
  await rememberLongRequests(database, 4_500);
  for (const query of [PLAN, '{ consumers(first: 1000) { nodes { request { createdAt } } } }'])
    expect(codesOf(await ask(url, query))).toContain('LIMIT_EXCEEDED');
  await forgetRequests(database);
});
