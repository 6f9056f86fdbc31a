import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { subscribe, type EventStream } from '../support/events.js';
import { shapeUuid } from '../support/oddShapes.js';
import { attack, attackedServer, strength } from './attackedServer.js';
import { ask } from './requests.js';

attackedServer();

/** What a process has had of the processor (ms). */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

attack('event streams by the thousand, and writes that each of them is told of', async ({ url, pid }) => {
  const streams: EventStream[] = [];
  const count = strength(2_000, 200);
  while (streams.length < count) {
    const opened = await Promise.all(Array.from({ length: 50 }, () => subscribe(url)));
    streams.push(...opened);
  }
  const isOpen = streams.filter(({ response }) => response.status === 200);
  const refused = streams.filter(({ response }) => response.status !== 200);
  expect(refused.every(({ response }) => [429, 503].includes(response.status))).toBe(true);
  const before = processorMs(pid);
  const writes = strength(100, 20);
  const query = `mutation ($input: UpdateResourceProviderInput!) { updateResourceProvider(input: $input) { __typename } }`;
  for (let turn = 0; turn < writes; turn++) {
    const input = { resourceProvider: shapeUuid('odd'), name: `odd-${turn % 2 === 0 ? 'renamed' : 0}` };
    const { text } = await ask(url, query, { input });
    expect(text).toContain('UpdateResourceProviderPayload');
  }
  await sleep(500);
  const cost = (processorMs(pid) - before) / writes;
  process.stderr.write(`${isOpen.length} streams: a write costs ${cost.toFixed(1)} ms of the processor\n`);
  for (const stream of streams) stream.close();
  await sleep(1_000);
});

attack('event streams that are opened and closed without end', async ({ url }) => {
  for (let turn = 0; turn < strength(100, 20); turn++) {
    const opened = await Promise.all(Array.from({ length: 20 }, () => subscribe(url)));
    for (const stream of opened) stream.close();
  }
});
