/** The trait that keeps new claims off a host, as OpenStack Compute sets it. */
export const MAINTENANCE = 'COMPUTE_STATUS_DISABLED';
