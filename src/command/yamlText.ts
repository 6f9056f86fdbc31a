import type { Scalar, ScalarTag } from 'yaml';
import { escaped, hasControls } from './controlCharacters.js';

/** Texts that some reader takes for a number, a date, a boolean, null or a merge key unless they are in quotes. */
const AMBIGUOUS = /^(?:[-+.=~<\d].*|y|n|yes|no|on|off|true|false|null)$/i;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A number with an exponent, which has a point: otherwise readers of YAML 1.1 take it for a text. */
const EXPONENT: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^-?\d+(\.\d+)?e[-+]\d+$/,
  identify: (value) => typeof value === 'number' && String(value).includes('e'),
  resolve: Number,
  stringify: ({ value }) => String(value).replace(/^(-?\d+)e/, '$1.0e'),
};

/** Returns data as YAML that readers of YAML 1.1 and of 1.2 read alike. */
export async function yamlOf(data: unknown): Promise<string> {
  const { Document, visit } = await import('yaml');
  const document = new Document(data, {
    aliasDuplicateObjects: false,
    customTags: (tags) => [EXPONENT, ...tags],
  });
  visit(document, {
    Scalar(key, node) {
      if (key !== 'key' && typeof node.value === 'string') node.type = typeOf(node.value);
    },
  });
  return escaped(document.toString({ lineWidth: 0 }), 'lines');
}

function typeOf(text: string): Scalar.Type | undefined {
  const isPlain = UUID.test(text) || !AMBIGUOUS.test(text);
  return isPlain && !hasControls(text) ? undefined : 'QUOTE_DOUBLE';
}
