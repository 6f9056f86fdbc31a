import { isPartitioned, type Assignment } from '../model/candidate.js';

/** Tells candidates that are made of sharing providers alone and were found before, at another anchor (rule 155). */
export class SharingOnlyCandidates {
  private readonly found = new Set<string>();

  isRepeated(providers: readonly Assignment[]): boolean {
    const ids: number[] = [];
    for (const provider of providers) {
      if (isPartitioned(provider) || provider.block.sharing[provider.row] === 0) return false;
      ids.push(provider.block.ids[provider.row]);
    }
    const key = ids.join();
    if (this.found.has(key)) return true;
    this.found.add(key);
    return false;
  }
}
