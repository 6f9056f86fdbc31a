const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether what comes from there can be trusted: by https, or from this machine. */
export function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}
