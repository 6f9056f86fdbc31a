/** In the extensions of a field that takes uuids: in which field beside it the same may be given by name. */
export interface NamedField {
  readonly of: 'resource provider' | 'aggregate';
  readonly nameField: string;
  /** Whether one of the two must be given. */
  readonly isRequired: boolean;
  /** Whether it is one of the conditions of a search, where a name that is unknown is INVALID_INPUT and not NOT_FOUND. */
  readonly isCondition: boolean;
}

export const NAMED = 'named' as const;
