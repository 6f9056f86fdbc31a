import type { Context } from '../context.js';
import { Forbidden } from './forbidden.js';
import { scopesOf } from './scopes.js';

/*
 * Who may use a field, by the roles of the viewer. Every field of Query, Mutation and Subscription has a rule, and so has every field
 * by which what a project may see leads to what it may not; below them an object is for whoever could reach it.
 */

export const READERS = { reader: true };
export const WRITERS = { writer: true };
export const SERVICES = { service: true };

/**
 * Whether readers of a project may give an argument, or a field of one: freely, only with the id of their own project, or not at all.
 * What has no rule they may not give.
 */
export type ArgumentRule = 'FREE' | 'OWN_PROJECT' | 'NONE';

export interface RuleWithProjects {
  (parent: unknown, args: object, context: Context): boolean;
  readonly argumentRules: ArgumentRules;
}

/** By the path of the argument, as `filter.projectId`. */
type ArgumentRules = Readonly<Record<string, ArgumentRule>>;

/** For readers, and for those of a project as well: the field shows them what belongs to the project, and nothing else. */
export function readersAndProjects(argumentRules: ArgumentRules): RuleWithProjects {
  const rule = (_parent: unknown, args: object, { viewer }: Context): boolean => {
    const { reader, projectReader } = scopesOf(viewer);
    if (reader || !projectReader) return reader;
    for (const [path, value] of leavesOf(args))
      checkArgument(path, value, argumentRules[path], viewer!.projectId);
    return true;
  };
  return Object.assign(rule, { argumentRules });
}

function checkArgument(
  path: string,
  value: unknown,
  rule: ArgumentRule | undefined,
  projectId: string | null,
): void {
  if (rule === 'FREE' || (rule === 'OWN_PROJECT' && value === projectId)) return;
  throw new Forbidden(
    rule === 'OWN_PROJECT'
      ? `${path}: readers of a project may name no project but their own`
      : `${path}: readers of a project may not use this`,
  );
}

export interface RuleWithServices {
  (parent: unknown, args: object, context: Context): typeof WRITERS | typeof SERVICES;
  readonly argumentOfServices: string;
}

/** For writers; but for services alone where this argument is given. */
export function writersButServicesWith(argumentOfServices: string): RuleWithServices {
  const rule = (_parent: unknown, args: object): typeof WRITERS | typeof SERVICES =>
    leavesOf(args).some(([path]) => path === argumentOfServices) ? SERVICES : WRITERS;
  return Object.assign(rule, { argumentOfServices });
}

/** What an operation gives, down to what is no input object; a list counts as one value. */
function leavesOf(args: object, prefix = ''): [path: string, value: unknown][] {
  return Object.entries(args).flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
    if (value === null || value === undefined) return [];
    const path = `${prefix}${name}`;
    const isInput = typeof value === 'object' && !Array.isArray(value);
    return isInput ? leavesOf(value, `${path}.`) : [[path, value]];
  });
}

/** Who may use a field with this rule. */
export function wordsOf(rule: unknown): string {
  if (rule === SERVICES) return 'the role service';
  if (rule === WRITERS) return 'the role admin or service';
  if (typeof rule === 'function' && 'argumentOfServices' in rule)
    return `the role admin or service; with ${String(rule.argumentOfServices)} the role service`;
  const readers = 'the role admin or service, or reader of the whole cloud';
  return rule === READERS ? readers : `${readers} or of a project`;
}
