import { writeFile } from 'node:fs/promises';
import * as api from '../generated/client/operations.js';
import type { Client } from './client.js';
import { byProvider } from './consumerParts.js';
import { EXIT, Failure } from './failure.js';
import { readInput, type FileKind } from './inputFile.js';
import { flag, text, type Options, type OptionValues } from './options.js';
import { amountsIn, amountsOf, jsonOf, list, say, tableOf, type Output } from './output.js';
import { yamlOf } from './yamlText.js';

/** A saved plan: its moves in the order of execution, and its request, by which to plan again. */
interface PlanFile<Request> {
  readonly request: Request;
  readonly moves: readonly api.ConsumerAllocationsInput[];
}

/** The providers that a consumer was moved to, or the reason why it was not moved. */
export interface MoveReport {
  readonly consumer: string;
  readonly providers: readonly string[];
  readonly reason: string | null;
}

/** The options of a command that plans moves. */
export const PLAN_OPTIONS = {
  dryRun: flag('--dry-run', 'only show the moves'),
  save: text('--save <file>', 'only write the moves to a file of YAML or JSON'),
  plan: text('--plan <file>', 'execute the moves of a file; moves that no longer fit are planned again'),
};

/** A move of a plan with the traits that it loses. */
interface TraitLoss {
  readonly consumer: { readonly uuid: string };
  readonly traitsLost: readonly string[];
}

/** A command that plans moves. */
interface Planning<Request, Plan extends { readonly moves: readonly TraitLoss[] }> {
  readonly kind: Extract<FileKind, `${string}-plan`>;
  /** The options of the request. A saved plan has its own request. */
  readonly requestOptions: Options;
  /** Returns the request that the options state. Not called if a saved plan is given. */
  readonly request: () => Promise<Request>;
  /** Returns the whole plan, or only its first part if it is to be executed. */
  readonly read: (request: Request, isWhole: boolean) => Promise<Plan>;
  readonly movesOf: (plan: Plan) => readonly api.ConsumerAllocationsInput[];
  readonly show: (plan: Plan) => Output;
  readonly execute: (request: Request, moves: readonly api.ConsumerAllocationsInput[]) => Promise<Output>;
}

/** Shows, saves or executes a saved or a new plan. */
export async function runPlan<Request extends object, Plan extends { readonly moves: readonly TraitLoss[] }>(
  given: OptionValues<typeof PLAN_OPTIONS> & Readonly<Record<string, unknown>>,
  { kind, requestOptions, request: requested, read, movesOf, show, execute }: Planning<Request, Plan>,
): Promise<Output> {
  const { dryRun, save, plan: file } = given;
  const beside = Object.keys(requestOptions).find((name) => given[name] !== undefined);
  if (file !== undefined && beside !== undefined)
    throw Failure.usage(`--plan has its own request: give no ${requestOptions[beside].long} beside it`);
  const saved = file === undefined ? null : await readPlanFile<Request>(kind, file);
  const request = saved?.request ?? (await requested());
  if (saved !== null && !dryRun && save === undefined) return execute(request, saved.moves);
  const isShown = dryRun || save !== undefined;
  const plan = await read(request, isShown ?? false);
  if (save !== undefined) await writePlanFile(save, { request, moves: movesOf(plan) });
  if (isShown) return show(plan);
  warnOfLosses(plan.moves);
  return execute(request, movesOf(plan));
}

/** Shows the traits that moves lose; nothing if they lose none. */
export function lossesOf(moves: readonly TraitLoss[]): Output['blocks'] {
  const rows = moves
    .filter(({ traitsLost }) => traitsLost.length > 0)
    .map(({ consumer: { uuid }, traitsLost }) => ({ consumer: uuid, 'loses traits': traitsLost.join(', ') }));
  return rows.length > 0 ? [tableOf(rows)] : [];
}

/** Names the traits that moves lose before they are executed. */
export function warnOfLosses(moves: readonly TraitLoss[]): void {
  const losing = moves.filter(({ traitsLost }) => traitsLost.length > 0);
  if (losing.length === 0) return;
  const traits = [...new Set(losing.flatMap(({ traitsLost }) => traitsLost))].sort();
  const count = losing.length === 1 ? '1 move loses' : `${losing.length} moves lose`;
  say(`${count} traits: ${traits.join(', ')}; --keep-traits keeps them`);
}

async function readPlanFile<Request>(kind: FileKind, file: string): Promise<PlanFile<Request>> {
  try {
    return await readInput(kind, file);
  } catch (error) {
    const command = kind.replace('-plan', '');
    throw Failure.usage(
      `${(error as Error).message}; --plan takes a file that ${command} --save has written`,
    );
  }
}

/** Writes JSON if the name ends with .json, else YAML. */
async function writePlanFile(file: string, plan: PlanFile<object>): Promise<void> {
  const text = file.endsWith('.json') ? `${jsonOf(plan, 2)}\n` : await yamlOf(plan);
  try {
    await writeFile(file, text);
  } catch (error) {
    throw Failure.usage(`${file}: ${(error as Error).message}`);
  }
}

/** Shows executed moves and the remaining ones, which give the exit code of a rejection. */
export function executed(
  data: object,
  moved: readonly MoveReport[],
  left: readonly MoveReport[],
  why: string,
): Output {
  const rows = moved.map(({ consumer, providers }) => ({ consumer, 'moved to': providers.join(', ') }));
  const { blocks } = list(rows, undefined, 'nothing was moved');
  if (left.length === 0) return { data, blocks };
  const failures = tableOf(left, { consumer: 'consumer', [why]: 'reason' });
  return { data, blocks: [...blocks, failures], exit: EXIT.refused };
}

/** Shows the parts of a planned placement. */
export function partsOf(parts: readonly api.MovedAllocationFieldsFragment[]): string {
  return parts
    .map(({ resourceProvider, resources }) => `${resourceProvider.name}: ${amountsIn(resources)}`)
    .join('; ');
}

/** Returns the input of setAllocations that gives a consumer its new allocations. */
export function moveOf(
  consumer: Pick<api.ConsumerFieldsFragment, 'uuid' | 'projectId' | 'userId'>,
  generation: number,
  allocations: readonly api.MovedAllocationFieldsFragment[],
): api.ConsumerAllocationsInput {
  const providers = allocations.map(({ resourceProvider: { uuid }, resources }) => ({
    resourceProvider: { uuid },
    resources: amountsOf(resources),
  }));
  const owner = { projectId: consumer.projectId ?? '', userId: consumer.userId ?? '' };
  return { consumer: consumer.uuid, generation, ...owner, allocations: { providers } };
}

/** Executes a move. Returns the reason if the server rejects it: others may still succeed. */
export async function executeMove(client: Client, move: api.ConsumerAllocationsInput): Promise<MoveReport> {
  const { consumer } = move;
  try {
    const { consumers } = await client.mutate(api.SetAllocationsDocument, { input: { consumers: [move] } });
    return { consumer, providers: byProvider(consumers[0]).map(({ name }) => name), reason: null };
  } catch (error) {
    if (!(error instanceof Failure) || !(REJECTED.has(error.exit) || error.code === 'INVALID_INPUT'))
      throw error;
    return { consumer, providers: [], reason: error.message };
  }
}

/** The exit codes of moves that failed but may succeed in a new plan. */
const REJECTED: ReadonlySet<number> = new Set([EXIT.conflict, EXIT.refused, EXIT.notFound]);
