import { writeFile } from 'node:fs/promises';
import * as api from '../../generated/client/operations.js';
import type { Client } from './client.js';
import { byProvider } from './commands/consumer.js';
import { EXIT, Failure } from './failure.js';
import { readInput } from './inputFile.js';

/** A saved plan: the request that made it, to plan again, and its moves in the order of execution. */
interface PlanFile<Request> {
  readonly request: Request;
  readonly moves: readonly api.ConsumerAllocationsInput[];
}

/** The providers that a consumer was moved to, or the reason why it was not moved. */
export interface MoveReport {
  readonly consumer: string;
  readonly to: string;
  readonly reason: string | null;
}

export function readPlanFile<Request>(file: string): Promise<PlanFile<Request>> {
  return readInput('plan', file);
}

/** Writes JSON if the name ends with .json, else YAML. */
export async function writePlanFile(file: string, plan: PlanFile<object>): Promise<void> {
  const json = JSON.stringify(plan, null, 2);
  const text = file.endsWith('.json')
    ? `${json}\n`
    : (await import('yaml')).stringify(JSON.parse(json), { lineWidth: 0, aliasDuplicateObjects: false });
  try {
    await writeFile(file, text);
  } catch (error) {
    throw Failure.usage(`${file}: ${(error as Error).message}`);
  }
}

/** Executes moves one after the other, until one is rejected because something has changed. */
export async function executeMoves(
  client: Client,
  moves: readonly api.ConsumerAllocationsInput[],
): Promise<{ readonly done: MoveReport[]; readonly failed: MoveReport | null }> {
  const done: MoveReport[] = [];
  for (const move of moves) {
    try {
      const input = { consumers: [move] };
      const { consumers } = await client.mutate(api.SetAllocationsDocument, { input });
      const to = byProvider(consumers[0]).map(({ name }) => name);
      done.push({ consumer: move.consumer, to: to.join(', '), reason: null });
    } catch (error) {
      const isRejected = error instanceof Failure && REJECTED.has(error.exit);
      if (!isRejected) throw error;
      return { done, failed: { consumer: move.consumer, to: '', reason: error.message } };
    }
  }
  return { done, failed: null };
}

/** Conflicts, rules and unknown providers: a new plan may succeed. */
const REJECTED: ReadonlySet<number> = new Set([EXIT.conflict, EXIT.refused, EXIT.notFound]);
