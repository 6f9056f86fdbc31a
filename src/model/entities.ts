/** An object with the id of its row, which orders objects by age. */
export type Stored<T> = T & { readonly id: number };

/** The source object of the resolvers of Consumer. */
export interface ConsumerEntity {
  readonly uuid: string;
  readonly generation: number;
  /** Null: untyped (rule 87). */
  readonly consumerType: string | null;
  /** Empty if another program has left the consumer without its project or user. */
  readonly projectId: string;
  readonly userId: string;
  /** Undefined: not read yet. Null: the row has none. */
  readonly createdAt?: Date | null;
  readonly updatedAt?: Date | null;
}
