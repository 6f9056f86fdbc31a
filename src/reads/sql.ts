/** A piece of SQL with its values. */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
}

export function sql(text: string, ...values: unknown[]): Sql {
  return { text, values };
}

export function joined(pieces: readonly Sql[], separator: string): Sql {
  return {
    text: pieces.map((piece) => piece.text).join(separator),
    values: pieces.flatMap((piece) => piece.values),
  };
}

/** True when every condition is; none at all is true. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0
    ? sql('TRUE')
    : joined(
        conditions.map((condition) => ({ ...condition, text: `(${condition.text})` })),
        ' AND ',
      );
}

/** What lies between two names, of the provider alias `p`. */
export function between(after: string | null, before: string | null): Sql[] {
  return [
    ...(after === null ? [] : [sql('p.name > ?', after)]),
    ...(before === null ? [] : [sql('p.name < ?', before)]),
  ];
}
