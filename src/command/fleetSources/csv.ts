import { parse, CsvError } from 'csv-parse/sync';
import { readAmount } from '../arguments.js';
import { mappedHost, missingColumn, readColumns, type ColumnMapping } from './csvMapping.js';
import {
  invalid,
  shown,
  wholeNumber,
  type ParsedFleet,
  type SourceInventory,
  type SourceNode,
  type SourceOptions,
  type SourceText,
} from './source.js';

const COLUMNS = ['host', 'class', 'total', 'reserved', 'ratio', 'traits', 'aggregates'] as const;
type Row = Readonly<Partial<Record<(typeof COLUMNS)[number], string>>>;

interface Line<Fields> {
  readonly record: Fields;
  readonly info: { readonly lines: number };
}

/**
 * Reads tables with a line for each inventory of a host. Hosts may have several lines. With a mapping file, a table has a
 * line for each host, and any columns.
 */
export function parseCsv(texts: readonly SourceText[], { mapping: file }: SourceOptions): ParsedFleet {
  const hosts = new Map<string, SourceNode>();
  const mapping = file && readColumns(file);
  for (const text of texts)
    if (mapping === undefined)
      for (const { record, info } of linesOf<Row>(text, knownColumns(text.name)))
        addLine(hosts, record, text.name, info.lines);
    else addMapped(hosts, text, mapping);
  return { trees: Array.from(hosts.values(), (root) => ({ root })) };
}

function addMapped(hosts: Map<string, SourceNode>, text: SourceText, mapping: ColumnMapping): void {
  const { name: file } = text;
  const columns = (header: string[]): string[] => {
    const missing = missingColumn(mapping, header);
    if (missing !== undefined) throw invalid(file, 1, `there is no column ${shown(missing)}`);
    return header;
  };
  for (const { record, info } of linesOf<Record<string, string>>(text, columns)) {
    const host = mappedHost(record, mapping, file, info.lines);
    if (host.name === '') throw invalid(file, info.lines, 'the host has no name');
    if (hosts.has(host.name)) throw invalid(file, info.lines, `the host ${host.name} is there twice`);
    hosts.set(host.name, host);
  }
}

const knownColumns =
  (file: string) =>
  (header: string[]): string[] => {
    const names = header.map((name) => name.toLowerCase());
    const unknown = names.find((name) => !(COLUMNS as readonly string[]).includes(name));
    if (unknown !== undefined)
      throw invalid(
        file,
        1,
        `there is no column ${shown(unknown)}; the columns are ${COLUMNS.join(', ')}, unless --mapping names others`,
      );
    if (!names.includes('host')) throw invalid(file, 1, 'the column host is missing');
    return names;
  };

/** Reads the lines after the header. Columns are separated by commas, semicolons or tabs, as in the header. */
function linesOf<Fields>(
  { name: file, text }: SourceText,
  columnsOf: (header: string[]) => string[],
): Line<Fields>[] {
  const columns = (header: string[]): string[] => {
    const names = columnsOf(header);
    const repeated = names.find((name, at) => names.indexOf(name) !== at);
    if (repeated !== undefined) throw invalid(file, 1, `the column ${repeated} is given twice`);
    return names;
  };
  const [header] = text.split('\n', 1);
  try {
    return parse(text, {
      bom: true,
      columns,
      delimiter: [',', ';', '\t'].find((each) => header.includes(each)) ?? ',',
      info: true,
      trim: true,
      skip_empty_lines: true,
    }) as unknown as Line<Fields>[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as unknown as { readonly lines?: number };
    throw invalid(file, lines ?? '', error.message.replace(/ (at|on) line \d+.*$/s, ''));
  }
}

function addLine(hosts: Map<string, SourceNode>, row: Row, file: string, line: number): void {
  const name = row.host ?? '';
  if (name === '') throw invalid(file, line, 'the host has no name');
  const host = hosts.get(name) ?? { name, inventories: {}, traits: [], aggregates: [] };
  hosts.set(name, host);
  for (const part of ['traits', 'aggregates'] as const)
    for (const each of (row[part] ?? '').split(';').map((text) => text.trim()))
      if (each !== '' && !host[part]!.includes(each)) host[part]!.push(each);
  const resourceClass = row.class ?? '';
  if (resourceClass === '') {
    if (row.total || row.reserved || row.ratio) throw invalid(file, line, 'the amount has no class');
    return;
  }
  if (!/^[A-Z0-9_]{1,255}$/.test(resourceClass))
    throw invalid(file, line, `the class ${shown(resourceClass)} must have 1 to 255 of A-Z, 0-9 and _`);
  if (Object.hasOwn(host.inventories!, resourceClass))
    throw invalid(file, line, `${name} has ${resourceClass} twice`);
  host.inventories![resourceClass] = inventoryOf(row, resourceClass, file, line);
}

function inventoryOf(row: Row, resourceClass: string, file: string, line: number): SourceInventory {
  const amount = (field: 'total' | 'reserved', least: number): number => {
    const text = row[field]!;
    const isSize = /^\d+(\.\d+)?[KMGTP](iB?)?$/.test(text);
    if (!isSize) return wholeNumber(text, file, line, `the ${field} of ${resourceClass}`, { least });
    try {
      return readAmount(resourceClass, text);
    } catch (error) {
      throw invalid(file, line, (error as Error).message);
    }
  };
  if (!row.total) throw invalid(file, line, `${resourceClass} has no total`);
  const total = amount('total', 1);
  const reserved = row.reserved ? amount('reserved', 0) : undefined;
  if ((reserved ?? 0) > total)
    throw invalid(
      file,
      line,
      `the reserved amount of ${resourceClass} is ${reserved}, more than its total of ${total}`,
    );
  const ratio = row.ratio ? Number(row.ratio) : undefined;
  if (ratio !== undefined && !(ratio > 0 && ratio <= 3.4e38 && /^[\d.e+]+$/i.test(row.ratio!)))
    throw invalid(
      file,
      line,
      `the ratio of ${resourceClass} is ${shown(row.ratio)}: it must be a number above 0`,
    );
  return {
    total,
    ...(reserved && { reserved }),
    ...(ratio !== undefined && ratio !== 1 && { allocationRatio: ratio }),
  };
}
