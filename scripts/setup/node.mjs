// Written in the plainest JavaScript, so that a Node which is too old can read it and say so.

/** Whether this Node will do; if not, says so in one line and makes the process end with failure. */
export function nodeIsRecent() {
  const version = process.versions.node.split('.').map(Number);
  if (version[0] > 20 || (version[0] === 20 && version[1] >= 19)) return true;
  console.error('placement-graphql needs Node 20.19 or newer; this is ' + process.versions.node);
  process.exitCode = 1;
  return false;
}
