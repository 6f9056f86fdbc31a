/** How a transaction has changed how much is in use of one provider. */
export interface UsageChange {
  readonly id: number;
  readonly generation: number;
  /** How many generations it has gone on by this. */
  readonly steps: number;
  /** By how much more of each resource class is in use; less where it is negative. */
  readonly amounts: readonly (readonly [classId: number, amount: number])[];
}

/** A committed transaction that has changed nothing else that others see: its place in the feed says the same, without the amounts. */
export interface UsageCommit {
  readonly writerId: number;
  readonly seq: number;
  readonly providers: readonly UsageChange[];
}

/** What a commit has changed of some providers; nothing: none of them. */
export function usageOf(commit: UsageCommit, isWanted: (id: number) => boolean): UsageCommit[] {
  const providers = commit.providers.filter(({ id }) => isWanted(id));
  return providers.length > 0 ? [{ ...commit, providers }] : [];
}
