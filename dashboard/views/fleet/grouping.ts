/** What hosts are drawn together by: `zone` is an aggregate with a name, `rack` one without. */
export type Grouping =
  { readonly kind: 'zone' | 'rack' | 'none' } | { readonly kind: 'trait'; readonly trait: string };

export const STANDARD_GROUPING = 'zone';

/** Reads what the address has: `zone`, `rack`, `none`, or a trait. */
export function parseGrouping(text: string): Grouping {
  if (text === 'zone' || text === 'rack' || text === 'none') return { kind: text };
  return { kind: 'trait', trait: text };
}
