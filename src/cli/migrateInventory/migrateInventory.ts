import { createPlacement, type Placement } from '../../direct/placement.js';
import type { Plan } from '../../direct/plan.js';
import { type CommonOptions, lockData, runWithSettings, startDatabase } from '../bootstrap.js';
import { loadPlan, migrateNode, type NodeOutcome } from './nodeMigration.js';
import { readRoots, type Root } from './nodeReader.js';

export interface MigrateInventoryOptions extends CommonOptions {
  plan: string;
  node?: string;
  dryRun?: boolean;
}

/**
 * Passes the tree of each root provider to a plan and applies its result, one node per transaction.
 * After a signal, it finishes the current node. A repeated run leaves finished nodes unchanged.
 */
export function migrateInventory(options: MigrateInventoryOptions): Promise<void> {
  return runWithSettings(options, async (lifecycle, settings) => {
    const plan = await loadPlan(options.plan);
    await lockData(lifecycle, settings);
    const placement = createPlacement({ databaseUrl: await startDatabase(lifecycle, settings) });
    lifecycle.defer(() => placement.close());
    const roots = await readRoots(placement, options.node ?? null);
    if (options.node !== undefined && roots.length === 0)
      throw new Error(`no root provider is named ${options.node}`);
    const run = new MigrationRun(placement, plan, roots, options.dryRun ?? false);
    lifecycle.defer(() => run.stop());
    return (await run.run()) ? 0 : 1;
  });
}

class MigrationRun {
  private readonly outcomes: NodeOutcome[] = [];
  private isStopping = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly placement: Placement,
    private readonly plan: Plan,
    private readonly roots: readonly Root[],
    private readonly isDryRun: boolean,
  ) {}

  /** Returns false if a node failed. */
  async run(): Promise<boolean> {
    this.running = this.migrateAll();
    await this.running;
    console.log(this.summary());
    return this.count('failed') === 0;
  }

  private async migrateAll(): Promise<void> {
    for (const { uuid, name } of this.roots) {
      if (this.isStopping) return;
      const outcome = await migrateNode(this.placement, this.plan, uuid, this.isDryRun);
      this.outcomes.push(outcome);
      console.log(`[${this.outcomes.length}/${this.roots.length}] ${name}: ${outcome.report}`);
    }
  }

  /** Waits for the current node. @throws Error that names it, unless it was the last */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running.catch(() => undefined); // the command itself throws the error
    const done = this.outcomes.length;
    if (done === this.roots.length) return;
    throw new Error(
      `stopped after ${done === 0 ? 'no node' : this.roots[done - 1].name}, ` +
        `${this.roots.length - done} nodes are left: run the same command again to go on`,
    );
  }

  private summary(): string {
    const changed = `${this.count('changed')} ${this.isDryRun ? 'would change' : 'changed'}`;
    const others = `${this.count('unchanged')} unchanged, ${this.count('failed')} failed`;
    return `${this.outcomes.length} nodes: ${changed}, ${others}`;
  }

  private count(kind: NodeOutcome['kind']): number {
    return this.outcomes.filter((outcome) => outcome.kind === kind).length;
  }
}
