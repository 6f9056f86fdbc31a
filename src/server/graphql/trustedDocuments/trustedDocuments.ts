import { createHash } from 'node:crypto';
import * as z from 'zod';
import { WatchedFiles } from '../../start/watchedFiles.js';

const SETTING = 'graphql.trustedDocuments';

/** The prefix of ids that are hashes of the text (specification of GraphQL over HTTP). */
const SHA256_PREFIX = 'sha256:';

const DOCUMENTS = z.record(z.string(), z.string());

/** The documents that a server allows. */
export class TrustedDocuments {
  private readonly texts: ReadonlySet<string>;
  private readonly byId: ReadonlyMap<string, string>;

  /** @param documents texts by id; the SHA-256 hash of a text is a second id of it */
  constructor(documents: Readonly<Record<string, string>>) {
    this.texts = new Set(Object.values(documents));
    const hashed = Array.from(this.texts, (text): [string, string] => [SHA256_PREFIX + sha256(text), text]);
    this.byId = new Map([...hashed, ...Object.entries(documents)]);
  }

  /** Reads a JSON map of texts by id. Relay and GraphQL Code Generator write this format. */
  static open(path: string): WatchedFiles<TrustedDocuments> {
    return new WatchedFiles([{ name: SETTING, path }], ([content]) => {
      try {
        return new TrustedDocuments(DOCUMENTS.parse(JSON.parse(content)));
      } catch (error) {
        throw new Error(`${SETTING}: ${path} is not a JSON map of documents by ids`, { cause: error });
      }
    });
  }

  has(text: string): boolean {
    return this.texts.has(text);
  }

  /** Returns a text by its id in the file, or by its hash with or without the prefix. */
  find(id: string): string | undefined {
    return this.byId.get(id) ?? this.byId.get(SHA256_PREFIX + id);
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
