import type { Log } from '../runtime/observation/log.js';
import type { OperationRecord, Phases } from './operationRecord.js';

/** A line for each operation, and a warning for a slow one. */
export class OperationLog {
  private readonly isForAll: boolean;

  constructor(
    private readonly log: Log,
    /** An operation that takes longer is slow (ms); a subscription never is. */
    private readonly slow: number,
  ) {
    this.isForAll = log.isLevelEnabled('info');
  }

  write(record: OperationRecord, elapsed: number): void {
    if (this.isForAll) this.log.info(fieldsOf(record, elapsed), 'operation');
    if (elapsed <= this.slow || record.facts?.kind === 'subscription') return;
    const { documentText, phases } = record;
    const more = { text: documentText, phases: rounded(phases) };
    this.log.warn({ ...fieldsOf(record, elapsed), ...more }, 'slow operation');
  }
}

function fieldsOf(record: OperationRecord, elapsed: number) {
  const { requestId, facts, status, documentHash, user } = record;
  const { codes, cost, statements, rows, retries } = record.activity;
  return {
    requestId,
    operation: facts?.name ?? undefined,
    kind: facts?.kind,
    document: documentHash ?? undefined,
    ms: round(elapsed),
    status,
    codes: codes.length > 0 ? codes : undefined,
    cost,
    statements,
    rows,
    retries,
    user: user ?? undefined,
  };
}

function rounded(phases: Phases): Record<string, number> {
  return Object.fromEntries(Object.entries(phases).map(([name, ms]) => [name, round(ms as number)]));
}

/** To the microsecond. */
function round(milliseconds: number): number {
  return Math.round(1_000 * milliseconds) / 1_000;
}

/** The phases as the header Server-Timing has them. */
export function serverTiming(record: OperationRecord): string {
  const durations = Object.entries({ ...rounded(record.phases), total: round(record.elapsed) });
  return durations.map(([name, ms]) => `${name};dur=${ms}`).join(', ');
}
