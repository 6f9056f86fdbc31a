import type { GraphQLField, GraphQLResolveInfo } from 'graphql';
import type { Viewer } from '../../model/viewer.js';
import type { Context } from '../context.js';
import { codeOf } from '../../model/errors.js';
import { OutcomeUnknown } from '../../store/ledger/transaction.js';

/** Thrown for a field that the roles or the project of the credentials do not allow. */
export class Forbidden extends Error {
  override readonly name = 'Forbidden';

  /**
   * @param argument the path of the argument that is not allowed, as in InvalidInput; empty for the field itself.
   *   graphql-js would take a property `path` for the path of a field.
   */
  constructor(
    message: string,
    readonly argument: readonly string[] = [],
  ) {
    super(message);
  }
}

/** The permissions of a viewer's roles. The access rules of fields refer to them. */
export interface Scopes {
  /** Reads everything. */
  readonly reader: boolean;
  /** Reads and writes everything. */
  readonly writer: boolean;
  /** Acts for another service of the cloud, as a compute service does. */
  readonly service: boolean;
  /** Reads the objects that belong to the project of the credentials. */
  readonly projectReader: boolean;
}

const EVERYTHING: Scopes = { reader: true, writer: true, service: true, projectReader: true };

/** Returns the scopes of a viewer; all of them if authentication is disabled (null). */
export function scopesOf(viewer: Viewer | null): Scopes {
  if (viewer === null) return EVERYTHING;
  const { roles, projectId } = viewer;
  const isService = roles.has('service');
  const isWriter = isService || roles.has('admin');
  return {
    reader: isWriter || (projectId === null && roles.has('reader')),
    writer: isWriter,
    service: isService,
    projectReader: projectId !== null && roles.has('reader'),
  };
}

export function scopesOfContext({ viewer }: Context): Scopes {
  return scopesOf(viewer);
}

/** Returns the project to which the reads of a viewer are limited. Null means no limit. */
export function ownProject(viewer: Viewer | null): string | null {
  return viewer === null || scopesOf(viewer).reader ? null : viewer.projectId;
}

/** Returns whether a viewer may see the objects of a project. */
export function maySee(viewer: Viewer | null, { projectId }: { readonly projectId: string }): boolean {
  const own = ownProject(viewer);
  return own === null || own === projectId;
}

/** The types of nodes that belong to projects. Readers of a project cannot read other nodes. */
export const NODES_OF_PROJECTS: ReadonlySet<string> = new Set(['Allocation', 'Consumer', 'Project']);

/*
 * Every field of Query, Mutation and Subscription has a rule. So does every field that leads from
 * an object of a project to an object that readers of the project may not see. Any viewer who
 * reaches an object may use its other fields.
 */

export const READERS = { reader: true };
export const WRITERS = { writer: true };
export const SERVICES = { service: true };

/** Allows every viewer. */
export const everyone = (): boolean => true;

/** The options of a nested field that is null, not an error, for readers of a project (ADR 24). */
export const hiddenFromProjects = {
  authScopes: READERS,
  nullable: true,
  unauthorizedResolver: () => null,
} as const;

/**
 * Whether readers of a project may use an argument, or a field of an input object: freely, only
 * with the id of their own project, or not at all. Defaults to NONE.
 */
export type ArgumentRule = 'FREE' | 'OWN_PROJECT' | 'NONE';

export interface RuleWithProjects {
  (parent: unknown, args: object, context: Context): boolean;
  readonly argumentRules: ArgumentRules;
}

/** Maps the path of an argument, such as `filter.projectId`, to its rule. */
type ArgumentRules = Readonly<Record<string, ArgumentRule>>;

/** Allows readers and readers of a project. The resolver limits the latter to their project. */
export function readersAndProjects(argumentRules: ArgumentRules): RuleWithProjects {
  const allows = (_parent: unknown, args: object, { viewer }: Context): boolean => {
    const { reader, projectReader } = scopesOf(viewer);
    if (reader || !projectReader) return reader;
    for (const [path, value] of leavesOf(args)) {
      const rule = argumentRules[path] as ArgumentRule | undefined;
      if (rule === 'FREE' || (rule === 'OWN_PROJECT' && value === viewer!.projectId)) continue;
      const reason =
        rule === 'OWN_PROJECT' ? 'may only name their own project; another one' : 'may not use this, which';
      const message = `${path}: readers of a project ${reason} requires ${wordsOf(READERS)}`;
      throw new Forbidden(message, path.split('.'));
    }
    return true;
  };
  return Object.assign(allows, { argumentRules });
}

export interface RuleWithServices {
  (parent: unknown, args: object, context: Context): typeof WRITERS | typeof SERVICES;
  readonly argumentOfServices: string;
}

/** Allows writers; if this argument is given, only services. */
export function writersButServicesWith(argumentOfServices: string): RuleWithServices {
  const rule = (_parent: unknown, args: object): typeof WRITERS | typeof SERVICES =>
    leavesOf(args).some(([path]) => path === argumentOfServices) ? SERVICES : WRITERS;
  return Object.assign(rule, { argumentOfServices });
}

export interface RuleWithWriters {
  (parent: unknown, args: object, context: Context): typeof READERS;
  readonly argumentOfWriters: string;
}

/** Allows readers; if this argument is given, only writers. */
export function readersButWritersWith(argumentOfWriters: string): RuleWithWriters {
  const rule = (_parent: unknown, args: object, { viewer }: Context): typeof READERS => {
    const isGiven = leavesOf(args).some(([path]) => path.split('.')[0] === argumentOfWriters);
    if (isGiven && !scopesOf(viewer).writer)
      throw new Forbidden(`${argumentOfWriters} requires ${wordsOf(WRITERS)}`, [argumentOfWriters]);
    return READERS;
  };
  return Object.assign(rule, { argumentOfWriters });
}

/** Whether a viewer may use a field or an argument. `own`: for objects of the viewer's project. */
export type Access = 'yes' | 'own' | 'no';

type Rule =
  | Readonly<Partial<Record<keyof Scopes, boolean>>>
  | RuleWithProjects
  | RuleWithServices
  | RuleWithWriters
  | typeof everyone
  | undefined;

/** Returns the rule of a field. Undefined: each viewer who reaches the object may use it. */
export function ruleOf(field: GraphQLField<unknown, unknown>): Rule {
  return (field.extensions.pothosOptions as { readonly authScopes?: Rule } | undefined)?.authScopes;
}

/** Returns whether a viewer with these scopes may use a field. */
export function accessBy(rule: Rule, scopes: Scopes): Access {
  const isOfProject = !scopes.reader && scopes.projectReader;
  if (rule === everyone) return 'yes';
  if (rule === undefined) return isOfProject ? 'own' : 'yes';
  if (typeof rule !== 'function')
    return Object.keys(rule).some((scope) => scopes[scope as keyof Scopes]) ? 'yes' : 'no';
  if ('argumentOfServices' in rule) return scopes.writer ? 'yes' : 'no';
  if ('argumentOfWriters' in rule) return scopes.reader ? 'yes' : 'no';
  return scopes.reader ? 'yes' : isOfProject ? 'own' : 'no';
}

/** Returns the arguments of an operation by path, input objects unfolded; a list counts as one value. */
function leavesOf(args: object, prefix = ''): [path: string, value: unknown][] {
  return Object.entries(args).flatMap(([name, value]: [string, unknown]): [string, unknown][] => {
    if (value === null || value === undefined) return [];
    const path = `${prefix}${name}`;
    const isInput = typeof value === 'object' && !Array.isArray(value);
    return isInput ? leavesOf(value, `${path}.`) : [[path, value]];
  });
}

/** Describes the viewers that a rule allows. */
export function wordsOf(rule: unknown): string {
  if (rule === SERVICES) return 'the role service';
  if (rule === WRITERS) return 'the role admin or service';
  if (typeof rule === 'function' && 'argumentOfServices' in rule)
    return `the role admin or service; with ${String(rule.argumentOfServices)} the role service`;
  const readers = 'the role admin or service, or reader of the whole cloud';
  if (typeof rule === 'function' && 'argumentOfWriters' in rule) return readers;
  return rule === READERS ? readers : `${readers} or of a project`;
}

/** The maximum length of an input in the log, as JSON (characters). A longer input is cut. */
const LONGEST_INPUT = 2_000;

/** Wraps a write: the audit log records it when it ends, also if it fails. */
export function audited<Input, Payload>(
  mutation: string,
  write: (input: Input, context: Context, info: GraphQLResolveInfo) => Payload | Promise<Payload>,
): (input: Input, context: Context, info: GraphQLResolveInfo) => Promise<Payload> {
  return (input, context, info) =>
    recordWrite(mutation, input, context, async () => write(input, context, info));
}

/** Runs a write: the audit log records it when it ends, also if it fails. */
export async function recordWrite<Payload>(
  mutation: string,
  input: unknown,
  context: Context,
  write: () => Promise<Payload>,
): Promise<Payload> {
  try {
    const payload = await write();
    logWrite(mutation, input, 'OK', context);
    return payload;
  } catch (error) {
    logWrite(mutation, input, outcomeOf(error), context);
    throw error;
  }
}

/** Writes a line of the audit log: the viewer, the mutation, its input and its outcome. */
export function logWrite(mutation: string, input: unknown, outcome: string, context: Context): void {
  const { log, viewer, requestId } = context;
  const text = JSON.stringify(input, beginning) ?? '';
  log.record(
    {
      audit: {
        user: viewer?.userId ?? null,
        project: viewer?.projectId ?? null,
        mutation,
        outcome,
        input: text.length > LONGEST_INPUT ? `${text.slice(0, LONGEST_INPUT)}…` : text,
      },
      requestId,
    },
    'write',
  );
}

/** Shortens a long list or object for JSON.stringify. The log would cut the text of its end anyway. */
function beginning(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.length > LONGEST_INPUT ? value.slice(0, LONGEST_INPUT) : value;
  const members = Object.entries(value);
  return members.length > LONGEST_INPUT ? Object.fromEntries(members.slice(0, LONGEST_INPUT)) : value;
}

/** Returns the code that the client receives, or FAILED if the error is not a rejection. */
function outcomeOf(error: unknown): string {
  if (error instanceof OutcomeUnknown) return 'OUTCOME_UNKNOWN';
  return codeOf(error) ?? codeOf((error as Error).cause) ?? 'FAILED';
}
