/** The property by which hosts are grouped: `zone` is a named aggregate, `rack` an unnamed one. */
export type Grouping =
  | { readonly kind: 'zone' | 'rack' | 'none' }
  | { readonly kind: 'trait'; readonly trait: string };

export const STANDARD_GROUPING = 'zone';

/** Reads the grouping of the address: `zone`, `rack`, `none`, or a trait. */
export function parseGrouping(text: string): Grouping {
  if (text === 'zone' || text === 'rack' || text === 'none') return { kind: text };
  return { kind: 'trait', trait: text };
}
