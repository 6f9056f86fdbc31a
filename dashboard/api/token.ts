const KEY = 'placement-token';

/** The token of the requests. The browser stores it until the tab is closed. */
export const token = {
  read: (): string | null => sessionStorage.getItem(KEY),
  write(value: string | null): void {
    if (value === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, value);
  },
};

/** Returns the authorization header, or no header without a token. */
export function authorization(): Record<string, string> {
  const value = token.read();
  return value === null ? {} : { authorization: `Bearer ${value}` };
}
