import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Placement, PlacementResult } from '../../direct/placement.js';
import type { Plan, PlanNode } from '../../direct/plan.js';
import { readNode } from './nodeReader.js';

/** Loads a plan: a module whose default export is a function. @throws Error with one line */
export async function loadPlan(file: string): Promise<Plan> {
  const module = await import(pathToFileURL(resolve(file)).href).then(
    (loaded: { default?: unknown }) => loaded,
    (error: unknown) => {
      throw new Error(`cannot load the plan ${file}: ${describeError(error)}`, { cause: error });
    },
  );
  if (typeof module.default === 'function') return module.default as Plan;
  throw new Error(`the plan ${file} has no function as its default export`);
}

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

export interface NodeOutcome {
  readonly kind: 'changed' | 'unchanged' | 'failed';
  /** One line; a rejection adds a line for each violation. */
  readonly report: string;
}

const UNCHANGED: NodeOutcome = { kind: 'unchanged', report: 'unchanged' };
const failed = (report: string): NodeOutcome => ({ kind: 'failed', report });

const MAX_ATTEMPTS = 5;
const MAX_SHOWN = 5;

/** Reads a node and applies the result of the plan for it. Retries after a concurrent change. */
export async function migrateNode(
  placement: Placement,
  plan: Plan,
  uuid: string,
  isDryRun: boolean,
): Promise<NodeOutcome> {
  let node = await readNode(placement, uuid);
  for (let attempt = 1; node !== null; attempt++) {
    const seen = JSON.stringify(node);
    const outcome = await attemptNode(placement, plan, node, isDryRun);
    if (outcome.kind !== 'failed' || attempt === MAX_ATTEMPTS) return outcome;
    node = await readNode(placement, uuid);
    if (JSON.stringify(node) === seen) return outcome;
  }
  return { kind: 'unchanged', report: 'gone: the provider was deleted, or is no longer a root' };
}

async function attemptNode(
  placement: Placement,
  plan: Plan,
  node: PlanNode,
  isDryRun: boolean,
): Promise<NodeOutcome> {
  let input: object | null | undefined;
  try {
    input = await plan(node);
  } catch (error) {
    return failed(`the plan failed: ${describeError(error)}`);
  }
  if (input == null) return UNCHANGED;
  // the API validates the other fields of a plan's result
  const variables: { readonly dryRun?: unknown } = isDryRun ? { ...input, dryRun: true } : input;
  const result = await placement.execute<MigrationAnswer>({
    document: APPLY,
    variables: { input: variables },
  });
  return outcomeOf(result, variables.dryRun === true);
}

function outcomeOf({ data, errors }: PlacementResult<MigrationAnswer>, isDryRun: boolean): NodeOutcome {
  const answer = data?.applyProviderTree;
  if (errors || !answer) {
    const [first] = errors ?? [];
    return failed(`refused: ${first?.extensions?.code ?? 'NO_ANSWER'}: ${first?.message ?? ''}`);
  }
  if ('code' in answer) return failed(rejection(answer));
  const { changes, reshaped } = answer;
  const counts = (['CREATE', 'UPDATE', 'DELETE'] as const).flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count > 0 ? [`${count} ${kind.toLowerCase()}d`] : [];
  });
  const done = [...counts, ...(reshaped ? ['allocations moved'] : [])];
  if (done.length === 0) return UNCHANGED;
  return { kind: 'changed', report: `${isDryRun ? 'would change' : 'changed'}: ${done.join(', ')}` };
}

function rejection({ code, message, path, violations = [] }: Rejection): string {
  const where = path?.length ? ` (at ${path.join('.')})` : '';
  const shown = violations.slice(0, MAX_SHOWN).map(({ consumerUuid, ...violation }) => {
    const whose = consumerUuid === null ? '' : `, consumer ${consumerUuid}`;
    return `  ${violation.code}: ${violation.message}${whose}`;
  });
  const left = violations.length - shown.length;
  const more = left > 0 ? [`  and ${left} more`] : [];
  return [`refused: ${code}: ${message}${where}`, ...shown, ...more].join('\n');
}

interface Payload {
  readonly changes: readonly { readonly kind: 'CREATE' | 'UPDATE' | 'DELETE' }[];
  readonly reshaped: boolean;
}
interface Rejection {
  readonly code: string;
  readonly message: string;
  readonly path?: readonly string[];
  readonly violations?: readonly {
    readonly code: string;
    readonly message: string;
    readonly consumerUuid: string | null;
  }[];
}
interface MigrationAnswer {
  readonly applyProviderTree: Payload | Rejection;
}

const APPLY = `mutation Apply($input: ApplyProviderTreeInput!) {
  applyProviderTree(input: $input) {
    ... on ApplyProviderTreePayload { changes { kind } reshaped }
    ... on UserError { code message path }
    ... on ReshapeRefusedError { violations { code message consumerUuid } }
  }
}`;
