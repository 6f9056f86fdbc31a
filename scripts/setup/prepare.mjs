import { alone } from './alone.mjs';
import { nodeIsRecent } from './node.mjs';

/** Runs the steps of a set-up in order, alone in this checkout. If one fails, the process ends with the reason. */
export function prepare(...steps) {
  return command(() =>
    alone(async () => {
      for (const step of steps) await step();
    }),
  );
}

/** Runs the work of a script. If it fails, the process ends with the reason, without a stack trace. */
export async function command(work) {
  if (!nodeIsRecent()) process.exit();
  try {
    return await work();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
