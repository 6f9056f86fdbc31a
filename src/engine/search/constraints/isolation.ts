import type { PlannedIsolation } from '../../model/plan.js';
import { partsOf, type Anchor } from '../anchor.js';
import { canMatch } from '../lookahead/domains.js';
import type { Constraint } from './constraint.js';

/**
 * Policy ISOLATE: no two granular groups share a provider (rule 162). A list of suffixes: these
 * groups share their provider with no other group.
 */
export class Isolation implements Constraint {
  /** By provider: the number of variables that it serves, and whether one of them is isolated. */
  private readonly served: Uint16Array;
  private readonly reserved: Uint8Array;

  constructor(
    private readonly isolation: PlannedIsolation,
    private readonly anchor: Anchor,
  ) {
    this.served = new Uint16Array(anchor.providers.length);
    this.reserved = new Uint8Array(anchor.providers.length);
  }

  add(variable: number, value: number): boolean {
    if (!this.isolation.among.has(variable)) return true;
    const parts = partsOf(this.anchor, value);
    if (parts !== undefined) {
      if (parts.some(({ provider }) => this.reserved[provider] === 1)) return false;
      for (const { provider } of parts) this.served[provider]++;
      return true;
    }
    const isAlone = this.isolation.alone.has(variable);
    if (this.reserved[value] === 1 || (isAlone && this.served[value] > 0)) return false;
    this.served[value]++;
    if (isAlone) this.reserved[value] = 1;
    return true;
  }

  remove(variable: number, value: number): void {
    if (!this.isolation.among.has(variable)) return;
    const parts = partsOf(this.anchor, value);
    if (parts !== undefined) {
      for (const { provider } of parts) this.served[provider]--;
      return;
    }
    this.served[value]--;
    if (this.isolation.alone.has(variable)) this.reserved[value] = 0;
  }
}

/** Returns whether all isolated variables can have different providers, by bipartite matching. */
export function canIsolate({ alone }: PlannedIsolation, { domains }: Anchor): boolean {
  return canMatch(
    Array.from(alone, (variable) => domains[variable]),
    () => 1,
  );
}
