/** Returns the content security policy of a page: its own sources, and connections only to this server. */
export function contentPolicy(...sources: readonly string[]): string {
  return [
    "default-src 'none'",
    ...sources,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
