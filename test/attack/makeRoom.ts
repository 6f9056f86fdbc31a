import { attack, longAttack, strength } from './attackedServer.js';
import { aliases, expectAnswersTo } from './requests.js';

/** A plan of a workload for which all consumers may move. */
function plan(VCPU: number, consumers: number, maxMoves: number): string {
  const all = Array.from(
    { length: consumers },
    (_, at) =>
      `{ consumer: "00000000-0000-4000-8000-${String(at).padStart(12, '0')}", projectId: "a", userId: "a" }`,
  );
  return `planWorkload(
    input: {
      members: {
        name: "a"
        requests: { groups: { resources: { resourceClass: "VCPU", amount: ${VCPU} } } }
        consumers: [${all.join()}]
        placement: DISTINCT_TREES
      }
    }
    makeRoom: { maxMoves: ${maxMoves}, movable: { consumerTypes: ["INSTANCE"] } }
  ) { outcome plans { moveCount } }`;
}

longAttack(
  'room for 200 whole hosts with 100 moves in a whole fleet, from 8 connections',
  async ({ url }) => {
    await expectAnswersTo(url, `{ ${plan(64, 200, 100)} }`, strength(8, 2));
  },
);

attack('room for single consumers under 40 aliases, from 4 connections', async ({ url }) => {
  await expectAnswersTo(url, `{ ${aliases(strength(40, 4), plan(96, 1, 100))} }`, strength(4, 2));
});
