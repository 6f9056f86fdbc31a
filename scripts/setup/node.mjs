// Uses only old JavaScript syntax, so that an outdated Node can run it and report the problem.

/** Returns whether this Node is recent enough; otherwise prints one line and makes the process fail. */
export function nodeIsRecent() {
  const version = process.versions.node.split('.').map(Number);
  if (version[0] > 20 || (version[0] === 20 && version[1] >= 19)) return true;
  console.error('placement-graphql needs Node 20.19 or newer; this is ' + process.versions.node);
  process.exitCode = 1;
  return false;
}
