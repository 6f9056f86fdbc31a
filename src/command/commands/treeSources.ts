import { hostname } from 'node:os';
import { command, type Command } from '../command.js';
import { Failure } from '../failure.js';
import { migCard, migTree } from '../fleetSources/migCards.js';
import { checkFleet, type SourceTree } from '../fleetSources/source.js';
import { readText } from '../fleetSources/sources.js';
import { number, text } from '../options.js';
import { say, type Output } from '../output.js';

/** The maximum number of cards of a host. */
const MAX_CARDS = 64;

/** The commands that print trees for `tree apply`. They ask no server. */
export const TREE_SOURCE_COMMANDS: readonly Command[] = [
  command(
    'tree mig <card>',
    'print the tree of a host with GPUs of NVIDIA that MIG divides, such as H100-80GB, with all placements',
    {
      cards: number('--cards <number>', 'the number of cards', 1, 1),
      host: text('--host <name>', 'the name of the host; that of this machine if omitted'),
    },
    async (_client, { cards, host }, card: string) => {
      if (cards > MAX_CARDS) throw Failure.usage(`--cards must be at most ${MAX_CARDS}`);
      return printed([migTree(await migCard(card), host ?? hostname(), cards)], card);
    },
  ),
  command(
    'tree from-resource-slices <file>',
    'print the trees of the devices and shared counters of ResourceSlice objects of Kubernetes',
    {},
    async (_client, _options, file: string) => {
      const { parseResourceSlices } = await import('../fleetSources/kubernetes.js');
      const { trees, notes = [] } = await parseResourceSlices([await readText(file)]);
      notes.forEach(say);
      return printed(trees, file);
    },
  ),
];

function printed(trees: readonly SourceTree[], source: string): Output {
  checkFleet(trees, source);
  return { data: trees, blocks: [], names: trees.map(({ root }) => root.name), documents: true };
}
