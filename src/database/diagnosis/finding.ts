/** `problem`: the server does not work correctly. `warning`: it works, but something is at risk. */
export type Level = 'ok' | 'warning' | 'problem';

export interface Finding {
  readonly check: string;
  readonly level: Level;
  readonly found: string;
  readonly change?: string;
  readonly statements?: readonly string[];
}

interface Remedy {
  readonly change?: string;
  readonly statements?: readonly string[];
}

export function ok(check: string, found: string): Finding {
  return { check, level: 'ok', found };
}

export function warning(check: string, found: string, remedy: Remedy = {}): Finding {
  return { check, level: 'warning', found, ...remedy };
}

export function problem(check: string, found: string, remedy: Remedy = {}): Finding {
  return { check, level: 'problem', found, ...remedy };
}
