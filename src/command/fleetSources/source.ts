import { Failure } from '../failure.js';

/** A counter that each allocated unit of an inventory consumes: of the provider itself or of an ancestor. */
export interface SourceConsumption {
  readonly resourceProvider: { readonly name: string };
  readonly resourceClass: string;
  readonly amount: number;
}

/** An inventory of a tree. Fields that are omitted have the defaults of the API. */
export interface SourceInventory {
  readonly total: number;
  readonly reserved?: number;
  readonly minUnit?: number;
  readonly maxUnit?: number;
  readonly stepSize?: number;
  readonly allocationRatio?: number;
  readonly consumes?: readonly SourceConsumption[];
}

/** A provider as a source describes it: the form that `tree apply` and `fleet apply` read. */
export interface SourceNode {
  name: string;
  uuid?: string;
  inventories?: Record<string, SourceInventory>;
  traits?: string[];
  /** The names or uuids of aggregates. */
  aggregates?: string[];
  children?: SourceNode[];
}

export interface SourceConsumer {
  readonly consumer: string;
  readonly type: string;
  readonly projectId: string;
  readonly userId: string;
  readonly allocations: {
    readonly providers: readonly { resourceProvider: { name: string }; resources: Record<string, number> }[];
  };
}

/** A document of a fleet file. */
export interface SourceTree {
  readonly root: SourceNode;
  readonly allocations?: readonly SourceConsumer[];
}

/** A file of a source. */
export interface SourceText {
  /** The path; "standard input" for `-`. */
  readonly name: string;
  readonly text: string;
}

export interface SourceOptions {
  /** The name of the host, for formats that do not state it. */
  readonly host?: string;
  /** The mapping file of `kubernetes` or `csv`. */
  readonly mapping?: SourceText;
  readonly withConsumers?: boolean;
  /** The type of virtual GPUs of `libvirt`. */
  readonly vgpuType?: string;
}

export interface ParsedFleet {
  readonly trees: readonly SourceTree[];
  /** The parts that the trees omit, as sentences. */
  readonly notes?: readonly string[];
}

/** Returns the error of a value in a file. */
export function invalid(file: string, place: string | number, message: string): Failure {
  const at = typeof place === 'number' ? `, line ${place}` : place === '' ? '' : `, ${place}`;
  return Failure.usage(`${file}${at}: ${message}`);
}

const MAX_NAME = 200;
/** The largest total of an inventory. */
export const MAX_AMOUNT = 2 ** 31 - 1;
const MAX_CUSTOM = 255;

/** Returns a custom trait or resource class of these texts: CUSTOM_ and A-Z, 0-9 and _. */
export function customName(...parts: readonly string[]): string {
  const name = `CUSTOM_${parts
    .join('_')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')}`;
  return name.slice(0, MAX_CUSTOM);
}

/** The names of architectures in Linux and in Go. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  amd64: 'HW_ARCH_X86_64',
  x86_64: 'HW_ARCH_X86_64',
  arm64: 'HW_ARCH_AARCH64',
  aarch64: 'HW_ARCH_AARCH64',
  armv7l: 'HW_ARCH_ARMV7',
  i686: 'HW_ARCH_I686',
  ppc64: 'HW_ARCH_PPC64',
  ppc64le: 'HW_ARCH_PPC64LE',
  s390x: 'HW_ARCH_S390X',
};

/** Returns the standard trait of an architecture; [] if there is none, as for riscv64. */
export function archTraits(architecture: unknown): string[] {
  const name = String(architecture);
  return Object.hasOwn(ARCHITECTURES, name) ? [ARCHITECTURES[name]] : [];
}

/** Reads a whole number within bounds. */
export function wholeNumber(
  text: string,
  file: string,
  place: string | number,
  what: string,
  { least = 0, most = MAX_AMOUNT }: { readonly least?: number; readonly most?: number } = {},
): number {
  const value = /^\+?\d{1,15}$/.test(text.trim()) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw invalid(file, place, `${what} is ${shown(text)}: it must be a whole number from ${least} to ${most}`);
}

/** Returns a value in a message: short, and in quotes. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}..."` : text;
}

/** Returns the base name of a file without its endings and without the kind of its content. */
export function hostOfFile(name: string): string {
  const base = name.replace(/^.*\//, '').replace(/\.(xml|yaml|yml|json|conf|txt)$/i, '');
  return base.replace(/[.-](capabilities|caps|devices|nodedevs?|provider|hwloc|topology)$/i, '');
}

/**
 * Checks what no source may state: no host at all, a name that is too long or that two providers have, and a resource
 * without an amount. `file` names the input for messages.
 */
export function checkFleet(trees: readonly SourceTree[], file: string): void {
  if (trees.length === 0) throw invalid(file, '', 'there is no host in it');
  const seen = new Map<string, string>();
  for (const { root } of trees)
    visit(root, (node) => {
      const { name } = node;
      const length = Array.from(name).length;
      if (length === 0 || length > MAX_NAME)
        throw invalid(
          file,
          '',
          `the name ${shown(name)} has ${length} characters: it must have 1 to ${MAX_NAME}`,
        );
      const other = seen.get(name);
      if (other !== undefined)
        throw invalid(
          file,
          '',
          `two providers have the name ${shown(name)}: of the hosts ${other} and ${root.name}`,
        );
      seen.set(name, root.name);
      for (const [resourceClass, { total, reserved = 0 }] of Object.entries(node.inventories ?? {}))
        if (
          !(
            Number.isInteger(total) &&
            total >= 1 &&
            total <= MAX_AMOUNT &&
            reserved >= 0 &&
            reserved <= total
          )
        )
          throw invalid(
            file,
            '',
            `the inventory of ${resourceClass} of ${name} has the total ${total} and the reserved amount ${reserved}: ` +
              `total must be from 1 to ${MAX_AMOUNT}, and reserved from 0 to total`,
          );
    });
}

/** Visits a node and its descendants, parents first. Trees have any depth. */
function visit(root: SourceNode, each: (node: SourceNode) => void): void {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    each(node);
    open.push(...[...(node.children ?? [])].reverse());
  }
}
