/** The parts that several schemas share. */
export const UUID = { type: 'string', format: 'uuid' } as const;
export const NULLABLE_UUID = { anyOf: [UUID, { type: 'null' }] } as const;
export const GENERATION = { type: 'integer' } as const;

/** The form of the name of a resource class, and of that of a custom class or trait. */
export const CLASS_PATTERN = '^[A-Z0-9_]+$';
export const CUSTOM_PATTERN = '^CUSTOM_[A-Z0-9_]+$';

/** An object with these members and no others. */
export function closed<Properties extends Readonly<Record<string, object>>>(
  properties: Properties,
  required: readonly (keyof Properties & string)[] = [],
) {
  return { type: 'object', properties, required, additionalProperties: false } as const;
}
