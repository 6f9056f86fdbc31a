import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plan } from '../../direct/plan.js';

/**
 * Loads a plan: a module whose default export is a function.
 *
 * @throws Error with a one-line message when there is none
 */
export async function loadPlan(file: string): Promise<Plan> {
  const module = await import(pathToFileURL(resolve(file)).href).then(
    (loaded: { default?: unknown }) => loaded,
    (error: unknown) => {
      throw new Error(`cannot load the plan ${file}: ${describeError(error)}`, { cause: error });
    },
  );
  if (typeof module.default !== 'function') {
    throw new Error(`the plan ${file} has no function as its default export`);
  }
  return module.default as Plan;
}

/** An error of foreign code in one line. */
export function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
