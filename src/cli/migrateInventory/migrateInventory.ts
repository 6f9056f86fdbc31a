import { createPlacement, type Placement } from '../../direct/placement.js';
import type { Plan } from '../../direct/plan.js';
import { readEnvironment } from '../environment.js';
import { holdData, homeUrl } from '../bootstrap.js';
import { Life } from '../lifecycle.js';
import { migrateNode, type NodeEnd } from './nodeMigration.js';
import { readRoots, type Root } from './nodeReader.js';
import { loadPlan } from './planModule.js';

export interface MigrateInventoryOptions {
  /** the file of the plan */
  plan: string;
  /** the name of the only root provider to look at */
  node?: string;
  dryRun?: boolean;
}

/**
 * The offline upgrade of the reshape spec: shows the tree of each root provider to a plan and applies what that
 * answers, node by node, each in one step. A signal lets the node in hand be finished. Done nodes are found
 * unchanged when it is run again.
 */
export function migrateInventory(options: MigrateInventoryOptions): Promise<void> {
  return Life.lead(async (life) => {
    const plan = await loadPlan(options.plan);
    const environment = readEnvironment();
    await holdData(life, environment);
    const databaseUrl = await homeUrl(life, environment);
    const placement = createPlacement({ databaseUrl });
    life.defer(() => placement.close());
    const roots = await readRoots(placement, options.node ?? null);
    if (options.node !== undefined && roots.length === 0) {
      throw new Error(`no root provider is named ${options.node}`);
    }
    const round = new Round(placement, plan, roots, options.dryRun ?? false);
    life.defer(() => round.stop());
    await life.end((await round.run()) ? 0 : 1);
  });
}

/** One way through all nodes. */
class Round {
  private readonly ends: NodeEnd[] = [];
  private isStopping = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly placement: Placement,
    private readonly plan: Plan,
    private readonly roots: readonly Root[],
    private readonly isDryRun: boolean,
  ) {}

  /** Whether every node looked at came to a good end. */
  async run(): Promise<boolean> {
    this.running = this.goThrough();
    await this.running;
    console.log(this.summary());
    return this.count('failed') === 0;
  }

  private async goThrough(): Promise<void> {
    for (const { uuid, name } of this.roots) {
      if (this.isStopping) return;
      const end = await migrateNode(this.placement, this.plan, uuid, this.isDryRun);
      this.ends.push(end);
      console.log(`[${this.ends.length}/${this.roots.length}] ${name}: ${end.report}`);
    }
  }

  /** Lets the node in hand be finished, and says where that was unless it was the last. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running.catch(() => undefined);
    const done = this.ends.length;
    if (done === this.roots.length) return;
    throw new Error(
      `stopped after ${done === 0 ? 'no node' : this.roots[done - 1].name}, ` +
        `${this.roots.length - done} nodes are left: run the same command again to go on`,
    );
  }

  private summary(): string {
    const changed = `${this.count('changed')} ${this.isDryRun ? 'would change' : 'changed'}`;
    return `${this.ends.length} nodes: ${changed}, ${this.count('unchanged')} unchanged, ${this.count('failed')} failed`;
  }

  private count(kind: NodeEnd['kind']): number {
    return this.ends.filter((end) => end.kind === kind).length;
  }
}
