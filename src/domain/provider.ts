/** What a resource provider itself is, wherever it was read. */
export interface ProviderFields {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  /** Null for a root. */
  readonly parentId: number | null;
  /** Its own id for a root. */
  readonly rootId: number;
}
