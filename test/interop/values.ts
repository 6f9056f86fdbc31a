export function differ(one: unknown, other: unknown): boolean {
  return canonical(one) !== canonical(other);
}

/** Equal for equal values, whatever the order of an object's fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
