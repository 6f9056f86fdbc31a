import { invalid } from './source.js';

/** An element of an XML document. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
  readonly line: number;
}

const MAX_DEPTH = 1_000;

/** Reads the elements at the top of an XML text, of which a file may have several. Rejects a text that is not well-formed. */
export async function readXml(text: string, file: string): Promise<Element[]> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ fragment: true, position: true });
  const top: Element[] = [];
  const open: Element[] = [];
  parser.on('error', (error) => {
    throw invalid(file, parser.line, `it is no well-formed XML: ${error.message.replace(/^\d+:\d+: /, '')}`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = {
      name,
      attributes: attributes as Record<string, string>,
      children: [],
      text: '',
      line: parser.line,
    };
    (open.at(-1)?.children ?? top).push(element);
    open.push(element);
    if (open.length > MAX_DEPTH) throw invalid(file, parser.line, `elements are nested ${MAX_DEPTH} deep`);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', (part) => {
    const element = open.at(-1);
    if (element) element.text += part;
    else if (part.trim() !== '')
      throw invalid(file, parser.line, 'it is no XML: there is text outside of elements');
  });
  parser.on('cdata', (part) => {
    const element = open.at(-1);
    if (element) element.text += part;
  });
  // a fragment has no declaration and no document type: formats that have them begin with them
  parser.write(text.replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, '').replace(/<!DOCTYPE[^>[]*>/, '')).close();
  return top;
}

/** Returns the first child with this name. */
export function child(element: Element | undefined, ...names: readonly string[]): Element | undefined {
  let found = element;
  for (const name of names) found = found?.children.find((each) => each.name === name);
  return found;
}

export const childrenOf = (element: Element | undefined, name: string): Element[] =>
  element?.children.filter((each) => each.name === name) ?? [];
