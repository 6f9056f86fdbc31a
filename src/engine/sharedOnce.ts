import { isSplit, type Served } from './candidate.js';

/** Tells candidates that are made of sharing providers alone and were found before, at another anchor (rule 155). */
export class SharedOnce {
  private readonly found = new Set<string>();

  isRepeated(units: readonly Served[]): boolean {
    const ids: number[] = [];
    for (const unit of units) {
      if (isSplit(unit) || unit.block.sharing[unit.row] === 0) return false;
      ids.push(unit.block.ids[unit.row]);
    }
    const key = ids.join();
    if (this.found.has(key)) return true;
    this.found.add(key);
    return false;
  }
}
