/** By variable: its value, -1 for none. */
export type PartialAssignment = Int32Array;

/** By variable: the values that it may still have; null where they are not all known: its amount may be split. */
export type Domains = readonly (readonly number[] | null)[];
