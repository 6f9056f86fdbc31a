import { nodeIsRecent } from '../setup/node.mjs';

/** Runs a script of the delivery; where it fails the process ends with the reason. */
export async function command(work) {
  if (!nodeIsRecent()) process.exit();
  try {
    await work();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
