import { isPartitioned, type Assignment } from '../model/candidate.js';

/** Recognizes candidates of sharing providers alone that were found before, at another anchor (rule 155). */
export class SharingOnlyCandidates {
  private readonly found = new Set<string>();

  isRepeated(assignments: readonly Assignment[]): boolean {
    const ids: number[] = [];
    for (const assignment of assignments) {
      if (isPartitioned(assignment) || assignment.block.sharing[assignment.row] === 0) return false;
      ids.push(assignment.block.ids[assignment.row]);
    }
    const key = ids.join();
    if (this.found.has(key)) return true;
    this.found.add(key);
    return false;
  }
}
