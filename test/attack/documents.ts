import { expect } from '@jest/globals';
import { attack, longAttack, strength } from './attackedServer.js';
import { all, ask, codesOf, type Reply } from './requests.js';

/** As many documents as one client sends at once. */
const COUNT = strength(60, 15);

function expectRefused(replies: readonly Reply[]): void {
  for (const reply of replies) {
    expect(reply.failure).toBeNull();
    expect(['LIMIT_EXCEEDED', 'GRAPHQL_VALIDATION_FAILED']).toContain(codesOf(reply)[0]);
  }
}

const repeated = (count: number, field: string): string => `${field} `.repeat(count);

/** Sends different documents from one address: the second client has another one. */
const sendAll = (url: string, document: (number: number) => string): Promise<Reply[]> =>
  all(COUNT, (number) => ask(url, document(number), {}, { headers: { 'x-forwarded-for': '10.0.0.9' } }));

attack('60 documents with 700 equal fields each', async ({ url }) => {
  expectRefused(
    await sendAll(
      url,
      (number) => `{ ${repeated(700, `resourceProviders(first: ${number}) { totalCount }`)} }`,
    ),
  );
});

longAttack('60 documents with 1,000 fragments that are compared with each other', async ({ url }) => {
  const spreads = Array.from({ length: 1_000 }, (_, at) => `...F${at}`).join(' ');
  const fragments = Array.from({ length: 1_000 }, (_, at) => `fragment F${at} on Query { __typename }`).join(
    ' ',
  );
  expectRefused(await sendAll(url, (number) => `{ n${number}: __typename ${spreads} } ${fragments}`));
});

longAttack(
  '60 documents with fragments that spread the next one twice, and the same one again',
  async ({ url }) => {
    const fragments = Array.from(
      { length: 900 },
      (_, at) => `fragment F${at} on Query { a${at}: __typename ...F${at + 1} ...F${at + 1} }`,
    ).slice(0, 12);
    const query = (number: number): string =>
      `{ n${number}: nome ${repeated(90, 'resourceProviders { nodes { name inventories { total used } } }')} ...F0 } ${fragments.join(' ')} fragment F12 on Query { __typename }`;
    expectRefused(await sendAll(url, query));
    expectRefused(await sendAll(url, () => query(0)));
  },
);

longAttack('60 valid documents of 10,000 tokens that the server has not seen', async ({ url }) => {
  const names = '"HW_NUMA_ROOT" '.repeat(9_900);
  const replies = await sendAll(
    url,
    (number) => `{ n${number}: traits(filter: { nameIn: [${names}] }) { name } }`,
  );
  for (const { failure, status } of replies) {
    expect(failure).toBeNull();
    expect(status).toBe(200);
  }
});
