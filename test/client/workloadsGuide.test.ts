import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { commandsOf, environmentOf, run } from './guideCommands.js';

const { api } = useApi();

/** The uuids of new consumers are generated. */
const withoutUuids = (text: string): string =>
  text.replaceAll(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'UUID');

test('every command of the guide gives the answer beneath it', async () => {
  for (const { command, answer } of commandsOf('workloads.md', 'console'))
    expect([command, withoutUuids(await run(command, environmentOf(api.url)))]).toEqual([
      command,
      withoutUuids(answer),
    ]);
}, 120_000);
