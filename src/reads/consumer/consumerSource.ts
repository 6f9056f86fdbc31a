/** What a Consumer resolver starts from. */
export interface ConsumerSource {
  readonly uuid: string;
  readonly generation: number;
  /** Null: untyped (rule 87). */
  readonly consumerType: string | null;
  /** Empty where another writer has left a consumer without its project or user. */
  readonly projectId: string;
  readonly userId: string;
}

/** The columns of a {@link ConsumerSource}, of the table alias `c` and of {@link CONSUMER_OWNERS}. */
export const CONSUMER_COLUMNS =
  'c.uuid, c.generation, consumer_types.name AS consumerType, ' +
  `COALESCE(projects.external_id, '') AS projectId, COALESCE(users.external_id, '') AS userId`;

export const CONSUMER_OWNERS =
  'LEFT JOIN projects ON projects.id = c.project_id LEFT JOIN users ON users.id = c.user_id ' +
  'LEFT JOIN consumer_types ON consumer_types.id = c.consumer_type_id';
