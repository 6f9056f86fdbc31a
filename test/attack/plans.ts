import { zoneAggregate } from '../../src/tools/demo/fleet.js';
import { attack, longAttack, strength } from './attackedServer.js';
import { aliases, expectAnswersTo } from './requests.js';

const GOALS = ['FREE_HOSTS', 'EVEN_OUT', 'FIX'];
const ZONES = Array.from({ length: 3 }, (_, zone) => zoneAggregate(zone, 1));

attack('16 plans of the whole fleet at once', async ({ url }) => {
  const query = '{planRebalance(input:{goal:FREE_HOSTS,maxMoves:1}){moveCount}}';
  await expectAnswersTo(url, query, strength(16, 6));
});

longAttack('plans of whole zones with three goals in one document, from 8 connections', async ({ url }) => {
  const plan = (goal: string, at: number): string =>
    `a${at}: planRebalance(input: { goal: ${goal}, maxMoves: 5, scope: { uuid: "${ZONES[at]}" } }) { moveCount gain }`;
  await expectAnswersTo(url, `{ ${GOALS.map(plan).join('\n')} }`, strength(8, 2));
});

longAttack('drains of whole zones under 40 aliases', async ({ url }) => {
  const drain = `planDrain(from: { aggregate: { uuid: "${ZONES[0]}" } }) { next }`;
  await expectAnswersTo(url, `{ ${aliases(strength(40, 4), drain)} }`, strength(8, 2));
});
