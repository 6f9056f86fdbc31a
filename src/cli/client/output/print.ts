import { tableLines } from './table.js';
import type { Format, Output } from './output.js';

/** The text of what a command has to tell. */
export async function textOf({ data, blocks }: Output, format: Format): Promise<string> {
  switch (format) {
    case 'json':
      return `${JSON.stringify(data, null, 2)}\n`;
    case 'yaml': {
      const { stringify } = await import('yaml');
      return stringify(data, { lineWidth: 0 });
    }
    case 'table': {
      const width = terminalWidth();
      const texts = blocks.map((block) =>
        typeof block === 'string' ? block : tableLines(block, width).join('\n'),
      );
      return `${texts.join('\n\n')}\n`;
    }
  }
}

/** A pipe or a file has no width: what reads it wants whole lines. */
function terminalWidth(): number {
  return process.stdout.columns || Number(process.env.COLUMNS) || Infinity;
}
