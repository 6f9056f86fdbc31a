import { setTimeout as sleep } from 'node:timers/promises';
import type * as api from '../../generated/client/operations.js';
import type { Client } from '../client.js';
import { command, type Command } from '../command.js';
import { Failure } from '../failure.js';
import { FleetPlan, type FleetDifference, type FleetOptions } from '../fleetPlan.js';
import { readSource, SOURCES, type SourceName, type SourceRequest } from '../fleetSources/sources.js';
import { expandInputs, readInputs, type FileInput } from '../inputFile.js';
import { flag, number, OptionOf, text, texts } from '../options.js';
import { list, print, say, type Output } from '../output.js';

const SOURCE_OPTIONS = {
  discover: flag('--discover', 'run the program of the source here: lstopo, kubectl, scontrol or virsh'),
  host: text('--host <name>', 'the name of the host, for sources that do not state it'),
  mapping: text('--mapping <file>', 'YAML that maps resources and labels (kubernetes) or columns (csv)'),
  withConsumers: flag('--with-consumers', 'kubernetes: also pods and claims, as consumers'),
  vgpuType: text('--vgpu-type <type>', 'libvirt: divide GPUs into virtual ones of this type'),
};

const NAMES = Object.keys(SOURCES);

function sourceName(name: string): SourceName {
  if (NAMES.includes(name)) return name as SourceName;
  throw Failure.usage(`"${name}" is no source: it must be one of ${NAMES.join(', ')}`);
}

export const FLEET_COMMANDS: readonly Command[] = [
  command(
    'fleet from <source> [files...]',
    `print the hosts of a source as YAML: ${NAMES.join(', ')}`,
    SOURCE_OPTIONS,
    async (_client, options, source: string, files: string[]): Promise<Output> => {
      const trees = await treesOf({ ...options, source: sourceName(source), files });
      const names = trees.map(({ root }) => root.name);
      return { data: trees, blocks: [], names, documents: true };
    },
  ),
  command(
    'fleet apply [files...]',
    'bring the hosts of an owner to the state of files or of a source',
    {
      fleet: texts('-f, --file <file>', 'documents of fleet from; - is standard input; repeatable'),
      from: new OptionOf<SourceName | undefined>('--from <source>', 'read this source instead').choices(
        NAMES,
      ),
      ...SOURCE_OPTIONS,
      owner: text('--owner <name>', 'the owner: fleet if omitted'),
      dryRun: flag('--dry-run', 'only print the differences'),
      takeOver: flag('--take-over', 'also write values that differ and have no owner'),
      allowRemoval: flag('--allow-removal', 'remove hosts even if more than half of them are missing'),
      watch: number(
        '--watch <seconds>',
        'read the source and apply it again after this time, without end',
        1,
      ),
    },
    async (
      client,
      { fleet, from, owner, dryRun, takeOver, allowRemoval, watch, ...source },
      files: string[],
    ) => {
      if ((fleet === undefined) === (from === undefined)) throw Failure.usage('give either -f or --from');
      if (from === undefined && files.length > 0)
        throw Failure.usage(`--from belongs to the files ${files.join(', ')}`);
      if (watch !== undefined && from === undefined) throw Failure.usage('--watch belongs to --from');
      const read = (): Promise<FileInput<api.ApplyProviderTreeInput>[]> =>
        from === undefined ? readInputs('tree', fleet!) : readFrom({ ...source, source: from, files });
      const { withConsumers } = source;
      const options = { owner: owner ?? 'fleet', dryRun, takeOver, allowRemoval, withConsumers };
      if (watch === undefined) return apply(client, await read(), options);
      for (;;) {
        await applyOnce(client, read, options);
        await sleep(1_000 * watch);
      }
    },
  ),
];

async function treesOf(request: SourceRequest) {
  const { trees, notes = [] } = await readSource(request);
  notes.forEach(say);
  return trees;
}

async function readFrom(request: SourceRequest): Promise<FileInput<api.ApplyProviderTreeInput>[]> {
  const trees = await treesOf(request);
  return expandInputs(
    'tree',
    trees.map((input) => ({ source: `host ${input.root.name}`, input })),
  );
}

/** Applies once, and logs a failure: the next time may succeed. */
async function applyOnce(
  client: Client,
  read: () => Promise<FileInput<api.ApplyProviderTreeInput>[]>,
  options: FleetOptions,
): Promise<void> {
  try {
    await print(await apply(client, await read(), options), client.format);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    say(`error: ${error.message}; nothing is removed`);
  }
}

async function apply(
  client: Client,
  inputs: readonly FileInput<api.ApplyProviderTreeInput>[],
  options: FleetOptions,
): Promise<Output> {
  const plan = await FleetPlan.of(client, inputs, options);
  const differences = await plan.run();
  const { blocks } = list(rowsOf(differences), undefined, 'nothing differs');
  const changed = differences.filter(
    ({ part, outcome }) => part !== 'CONSUMER' && outcome !== 'KEPT' && outcome !== 'IN_USE',
  );
  return {
    data: differences,
    names: [...new Set(changed.map(({ provider }) => provider))],
    blocks: options.dryRun || differences.length === 0 ? blocks : [...blocks, 'applied'],
  };
}

const WORDS: Readonly<Record<FleetDifference['outcome'], string>> = {
  SET: 'update',
  TAKEN_OVER: 'take over',
  REMOVED: 'remove',
  KEPT: 'keep',
  IN_USE: 'in use',
};

/** Returns a row for each provider and outcome. */
function rowsOf(
  differences: readonly FleetDifference[],
): { change: string; name: string; details: string }[] {
  const rows = new Map<string, { change: string; name: string; details: string[] }>();
  const isNew = new Set(
    differences.flatMap(({ part, before, provider }) =>
      part === 'PROVIDER' && before === null ? provider : [],
    ),
  );
  for (const each of differences) {
    const { outcome, provider, part } = each;
    const isOfPart = outcome === 'REMOVED' && part !== 'PROVIDER';
    const ofOld = isOfPart ? 'update' : WORDS[outcome];
    // a host that was installed again is removed and created
    const change = isNew.has(provider) && ofOld !== 'remove' ? 'create' : ofOld;
    const row = rows.get(`${change} ${provider}`) ?? { change, name: provider, details: [] };
    rows.set(`${change} ${provider}`, row);
    const details = detailsOf(each);
    if (details !== '') row.details.push(details);
  }
  return Array.from(rows.values(), ({ details, ...row }) => ({ ...row, details: details.join(', ') }));
}

/** Returns texts such as `+VCPU total 8`, `VCPU total 8 -> total 16` and `-CUSTOM_GOLD`. */
function detailsOf({ part, name, before, after, outcome }: FleetDifference): string {
  if (part === 'PROVIDER') {
    if (outcome === 'KEPT' || outcome === 'IN_USE')
      return after === null ? before! : `${before} differs from ${after}`;
    const [, parent] = / (below .*)$/.exec(after ?? '') ?? [];
    return after === null ? '' : before === null ? (parent ?? '') : `${before} -> ${after}`;
  }
  if (after === null) return outcome === 'IN_USE' ? `${name} (${before})` : `-${name}`;
  if (before === null) return after === '' ? `+${name}` : `+${name} ${after}`;
  return `${name} ${before} -> ${after}`;
}
