const KEY = 'placement-token';

/** The token that requests carry; kept until the tab is closed. */
export const token = {
  read: (): string | null => sessionStorage.getItem(KEY),
  write(value: string | null): void {
    if (value === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, value);
  },
};

/** The headers by which the server tells who asks; none without a token. */
export function authorization(): Record<string, string> {
  const value = token.read();
  return value === null ? {} : { authorization: `Bearer ${value}` };
}
