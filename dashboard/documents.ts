import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatDocument, stringifyDocument, type TypedDocumentNode } from '@urql/core';
import { runnerImport, type Plugin } from 'vite';

const GENERATED = new URL('generated/', import.meta.url);

/**
 * Emits a list of trusted documents: the documents of the views in the form that the client sends,
 * by the hashes of their texts.
 */
export function trustedDocuments(): Plugin {
  return {
    name: 'trusted-documents',
    apply: 'build',
    async generateBundle() {
      const texts = (await Promise.all(readdirSync(GENERATED).map(textsOf))).flat();
      const documents = Object.fromEntries(texts.map((text) => [`sha256:${sha256(text)}`, text]));
      const source = `${JSON.stringify(documents, null, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: 'documents.json', source });
    },
  };
}

async function textsOf(view: string): Promise<string[]> {
  const file = new URL(`${view}/operations.ts`, GENERATED);
  if (!existsSync(file)) return [];
  const { module } = await runnerImport<Record<string, TypedDocumentNode>>(fileURLToPath(file));
  const operations = Object.entries(module).filter(([name]) => !name.endsWith('FragmentDoc'));
  return operations.map(([, document]) => stringifyDocument(formatDocument(document)));
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
