/** How the program ends, for scripts that want to tell why: docs/reference/command-line.md. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  conflict: 4,
  refused: 5,
  unavailable: 6,
  notAllowed: 7,
  unknownOutcome: 8,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Codes of docs/reference/errors.md that are neither a refusal of a mutation nor a failure of the server. */
const EXITS: Readonly<Record<string, ExitCode>> = {
  INVALID_INPUT: EXIT.usage,
  BAD_USER_INPUT: EXIT.usage,
  NOT_FOUND: EXIT.notFound,
  PROVIDER_GENERATION_CONFLICT: EXIT.conflict,
  CONSUMER_GENERATION_CONFLICT: EXIT.conflict,
  CONCURRENT_UPDATE: EXIT.conflict,
  OVERLOADED: EXIT.unavailable,
  DATABASE_UNAVAILABLE: EXIT.unavailable,
  AUTHENTICATION_UNAVAILABLE: EXIT.unavailable,
  UNAUTHENTICATED: EXIT.notAllowed,
  FORBIDDEN: EXIT.notAllowed,
  OUTCOME_UNKNOWN: EXIT.unknownOutcome,
};

/** A reason why a mutation changed nothing, as operations select it. */
export interface Rejection {
  readonly code: string;
  readonly message: string;
  readonly path?: readonly string[];
  readonly explanation?: { readonly summary: string } | null;
}

/** An entry of `errors` of an answer. */
export interface GraphQLFailure {
  readonly message: string;
  readonly extensions?: { readonly code?: string; readonly path?: readonly string[] };
}

/** Why a command did not do what it was told; the message is for people. */
export class Failure extends Error {
  constructor(
    readonly exit: ExitCode,
    message: string,
    /** The code of the server, where it has said one. */
    readonly code?: string,
    readonly path?: readonly string[],
  ) {
    super(message);
  }

  static usage(message: string): Failure {
    return new Failure(EXIT.usage, message);
  }

  static notFound(message: string): Failure {
    return new Failure(EXIT.notFound, message, 'NOT_FOUND');
  }

  /** Of a mutation that changed nothing. */
  static ofRejection({ code, message, path, explanation }: Rejection): Failure {
    const why = explanation ? `${message}: ${explanation.summary}` : message;
    return new Failure(EXITS[code] ?? EXIT.refused, why, code, path);
  }

  /** Of an operation that was refused or failed as a whole. */
  static ofErrors([first]: readonly GraphQLFailure[]): Failure {
    const { code = '', path } = first.extensions ?? {};
    return new Failure(EXITS[code] ?? EXIT.failed, first.message, code, path);
  }
}

/** What a mutation answers when it did what it was told; a rejection is thrown. */
export function accepted<Result extends object>(result: Result): Exclude<Result, { code: string }> {
  if ('code' in result) throw Failure.ofRejection(result as unknown as Rejection);
  return result as Exclude<Result, { code: string }>;
}
