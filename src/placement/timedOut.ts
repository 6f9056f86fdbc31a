/** A query that took longer than it may: a GraphQL error with `extensions.code` TIMEOUT. */
export class TimedOut extends Error {}
