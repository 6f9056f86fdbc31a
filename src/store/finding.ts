/** `problem`: the server does not work correctly. `warning`: it works, but something is at risk. */
export type Severity = 'ok' | 'warning' | 'problem';

interface Remedy {
  readonly change?: string;
  readonly statements?: readonly string[];
}

export interface Finding extends Remedy {
  readonly check: string;
  readonly level: Severity;
  readonly found: string;
}

export function ok(check: string, found: string): Finding {
  return { check, level: 'ok', found };
}

/** @param remedy a change, or statements with an optional change */
export function warning(check: string, found: string, remedy: string | Remedy = {}): Finding {
  return { check, level: 'warning', found, ...(typeof remedy === 'string' ? { change: remedy } : remedy) };
}

export function problem(check: string, found: string, remedy: string | Remedy = {}): Finding {
  return { ...warning(check, found, remedy), level: 'problem' };
}

/** Returns the findings. Without any, returns the finding that the check passed. */
export function orOk(findings: Iterable<Finding>, check: string, found: string): Finding[] {
  const all = [...findings];
  return all.length > 0 ? all : [ok(check, found)];
}
