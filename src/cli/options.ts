/** What every command takes. */
export interface CommonOptions {
  /** The file with settings. */
  readonly config?: string;
}
