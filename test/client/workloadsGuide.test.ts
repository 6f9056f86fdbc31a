import { expect, test } from '@jest/globals';
import { useApi } from '../support/api.js';
import { commandsOf, GuideShell } from './guideCommands.js';

const { api } = useApi();

/** The uuids of new consumers are generated, and equal hosts of a block are chosen at random. */
const withoutChance = (text: string): string =>
  text.replaceAll(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'UUID').replaceAll(/\bgpu-b\d/g, 'gpu-bN');

test('every command of the guide gives the answer beneath it', async () => {
  const shell = await GuideShell.start(api.url);
  for (const { command, answer } of commandsOf('workloads.md', 'console'))
    expect([command, withoutChance(await shell.run(command))]).toEqual([command, withoutChance(answer)]);
  shell.close();
}, 120_000);
