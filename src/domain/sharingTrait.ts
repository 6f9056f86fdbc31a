/** The trait that alone makes a provider share its resources through its aggregates (rule 73). */
export const SHARING_TRAIT = 'MISC_SHARES_VIA_AGGREGATE';
