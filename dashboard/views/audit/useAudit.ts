import { useEffect, useState } from 'react';
import { useClient, type CombinedError } from 'urql';
import { AuditDocument, type AuditCheck, type AuditQuery } from '../../generated/audit/operations';

export type Findings = NonNullable<AuditQuery['audit']>;

export interface AuditState {
  /** The findings of each check that is done, in the order of the checks. */
  readonly done: ReadonlyMap<AuditCheck, Findings>;
  readonly error?: CombinedError;
}

const NOTHING: AuditState = { done: new Map() };

/** Runs checks one after another. Each reads whole tables. Another `round` runs them again. */
export function useAudit(checks: readonly AuditCheck[], after: string | null, round: number): AuditState {
  const client = useClient();
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    let isOver = false;
    const run = async (): Promise<void> => {
      setState(NOTHING);
      for (const check of checks) {
        const variables = { checks: [check], after };
        const { data, error } = await client.query(AuditDocument, variables, {
          requestPolicy: 'network-only',
        });
        if (isOver) return;
        if (!data?.audit) return setState(({ done }) => ({ done, error }));
        const findings = data.audit;
        setState(({ done }) => ({ done: new Map(done).set(check, findings) }));
      }
    };
    void run();
    return () => {
      isOver = true;
    };
  }, [client, checks, after, round]);
  return state;
}
