import { createPlacement } from '../../direct/placement.js';
import { lockAndStart } from '../../start/bootstrap.js';
import type { Lifecycle } from '../../start/lifecycle.js';
import type { Settings } from '../../settings/definitions.js';
import { loadPlan, migrateNode, type NodeOutcome } from './nodeMigration.js';
import { readRoots } from './nodeReader.js';

interface MigrateInventoryOptions {
  readonly plan: string;
  readonly node?: string;
  readonly dryRun?: boolean;
}

/**
 * Passes the tree of each root provider to a plan and applies its result, one node per transaction.
 * After a signal, it finishes the current node. A repeated run leaves finished nodes unchanged.
 */
export async function migrateInventory(
  lifecycle: Lifecycle,
  settings: Settings,
  { plan: file, node, dryRun = false }: MigrateInventoryOptions,
): Promise<number> {
  const plan = await loadPlan(file);
  const placement = createPlacement({ databaseUrl: await lockAndStart(lifecycle, settings) });
  lifecycle.defer(() => placement.close());
  const roots = await readRoots(placement, node ?? null);
  if (node !== undefined && roots.length === 0) throw new Error(`no root provider is named ${node}`);
  const outcomes: NodeOutcome[] = [];
  let isStopping = false;
  const migrateAll = async (): Promise<void> => {
    for (const { uuid, name } of roots) {
      if (isStopping) return;
      const outcome = await migrateNode(placement, plan, uuid, dryRun);
      outcomes.push(outcome);
      console.log(`[${outcomes.length}/${roots.length}] ${name}: ${outcome.report}`);
    }
  };
  let running = Promise.resolve();
  lifecycle.defer(async () => {
    isStopping = true;
    await running.catch(() => undefined); // the command itself throws the error
    const done = outcomes.length;
    if (done === roots.length) return;
    throw new Error(
      `stopped after ${done === 0 ? 'no node' : roots[done - 1].name}, ` +
        `${roots.length - done} nodes are left: run the same command again to continue`,
    );
  });
  running = migrateAll();
  await running;
  const count = (kind: NodeOutcome['kind']): number => outcomes.filter((each) => each.kind === kind).length;
  const changed = `${count('changed')} ${dryRun ? 'would change' : 'changed'}`;
  console.log(
    `${outcomes.length} nodes: ${changed}, ${count('unchanged')} unchanged, ${count('failed')} failed`,
  );
  return count('failed') === 0 ? 0 : 1;
}
