import { totalmem } from 'node:os';

/** Returns the memory that this process may use: that of the machine or of its container, in bytes. */
export function machineMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}
