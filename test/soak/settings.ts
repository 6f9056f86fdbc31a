/** How long each soak lasts, and the seed of the order of its faults and of what the writers do. */
export const MINUTES = Number(process.env.PLACEMENT_SOAK_MINUTES || 30);
export const SEED = Number(process.env.PLACEMENT_SOAK_SEED || Date.now() % 2 ** 31);
