import { test } from '@jest/globals';
import { roomCase } from '../oracle/makeRoom.js';
import { Random } from '../oracle/random.js';
import { roomMade } from './roomMade.js';
test('x', () => {
  const from = Number(process.env.FROM ?? 0);
  const end = Date.now() + 400_000;
  let n = 0;
  for (const seed of (process.env.SEEDS ?? "").split(",").map(Number)) {
    n++;
    const given = roomCase(new Random(seed), { hosts: [6, 8], consumers: [6, 8] }, 8);
    const begin = Date.now();
    const { answer, spent } = roomMade(given);
    if (answer.outcome === 'UNDECIDED' || n > 0)
      process.stdout.write(`${seed} ${answer.outcome} ${answer.isOptimal} ${Date.now() - begin}ms ${spent}\n`);
  }
  process.stdout.write(`n=${n}\n`);
}, 500_000);
