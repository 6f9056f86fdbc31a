import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Operations } from '../../src/runtime/operation.js';
import { answerText } from '../../src/server/answerText.js';

const LONG = { data: { rows: Array.from({ length: 50_000 }, (_, at) => ({ at, name: `row-${at}` })) } };

/** Takes some of an answer that is sent while it is made. */
async function begun(client?: AbortSignal): Promise<{ stream: Readable; errors: unknown[] }> {
  const stream = answerText(new Operations().begin(client))(LONG) as unknown as Readable;
  const errors: unknown[] = [];
  stream.on('error', (error) => errors.push(error));
  await stream[Symbol.asyncIterator]().next();
  return { stream, errors };
}

test('a long answer is sent as it is made, and is whole', async () => {
  const stream = answerText(new Operations().begin())(LONG) as unknown as Readable;
  expect(stream).toBeInstanceOf(Readable);
  let text = '';
  for await (const piece of stream) text += String(piece);
  expect(JSON.parse(text)).toEqual(LONG);
});

test('so is one of an operation that was aborted before, such as a mutation that took place as its deadline passed', async () => {
  const operation = new Operations().begin(AbortSignal.abort(new Error('late')));
  const stream = answerText(operation)(LONG) as unknown as Readable;
  let text = '';
  for await (const piece of stream) {
    text += String(piece);
    await sleep(10);
  }
  expect(JSON.parse(text)).toEqual(LONG);
});

test('one whose client leaves ends without an error, which nobody would hear of', async () => {
  const client = new AbortController();
  const { stream, errors } = await begun(client.signal);
  client.abort(new Error('gone'));
  stream.resume();
  while (!stream.closed) await sleep(5);
  expect(errors).toEqual([]);
});
