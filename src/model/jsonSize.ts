const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Array.from('"\\,[{', (each) => each.charCodeAt(0));

/**
 * Returns whether a JSON text has more values than `max`, without parsing it: a small list or object needs many times the
 * memory of its text.
 */
export function hasMoreValues(text: string, max: number): boolean {
  if (text.length <= max) return false;
  let values = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isText = !isText;
    else if (code === BACKSLASH) at++;
    else if (!isText && (code === COMMA || code === BRACKET || code === BRACE) && ++values > max) return true;
  }
  return false;
}
