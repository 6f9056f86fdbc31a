/** The trait that excludes a host from new claims. OpenStack Compute sets it, too. */
export const MAINTENANCE = 'COMPUTE_STATUS_DISABLED';
