/** Random writes, random reads, and the seconds for which concurrent writers run; `npm run test:interop` draws another seed each time. */
export const WRITES = Number(process.env.PLACEMENT_INTEROP_WRITES || 500);
export const READS = Number(process.env.PLACEMENT_INTEROP_READS || 1_000);
export const SECONDS = Number(process.env.PLACEMENT_INTEROP_SECONDS || 10);
export const SEED = Number(process.env.PLACEMENT_INTEROP_SEED || Date.now() % 2 ** 31);
