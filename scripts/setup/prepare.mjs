import { alone } from './alone.mjs';
import { nodeIsRecent } from './node.mjs';

/** Does these steps of the set-up one after the other; where one fails the process ends with the reason. */
export async function prepare(...steps) {
  if (!nodeIsRecent()) process.exit();
  try {
    await alone(async () => {
      for (const step of steps) await step();
    });
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
