/** The exit codes of the program: docs/reference/command-line.md. */
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

/** The meaning of each exit code, for the help. */
export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: 'success',
  1: 'another failure of the server or the program; `compare` found a difference',
  2: 'invalid command line or input',
  3: 'not found',
  4: 'conflict with a concurrent change; retry',
  5: 'rejected by a rule, or nothing fits',
  6: 'unavailable: unreachable or overloaded; nothing was done',
  7: 'not authenticated or not allowed',
  8: 'unknown outcome: the answer to a write was lost; check before you repeat it',
};

/** Exit codes by error code. Other codes (docs/reference/errors.md) give `refused` or `failed`. */
const EXITS: Readonly<Record<string, ExitCode>> = {
  INVALID_INPUT: EXIT.usage,
  BAD_USER_INPUT: EXIT.usage,
  NOT_FOUND: EXIT.notFound,
  PROVIDER_GENERATION_CONFLICT: EXIT.conflict,
  CONSUMER_GENERATION_CONFLICT: EXIT.conflict,
  CONCURRENT_UPDATE: EXIT.conflict,
  OVERLOADED: EXIT.unavailable,
  THROTTLED: EXIT.unavailable,
  DATABASE_UNAVAILABLE: EXIT.unavailable,
  AUTHENTICATION_UNAVAILABLE: EXIT.unavailable,
  UNAUTHENTICATED: EXIT.notAllowed,
  FORBIDDEN: EXIT.notAllowed,
  OUTCOME_UNKNOWN: EXIT.unknownOutcome,
};

/** An error of a mutation, as operations select it. */
export interface Rejection {
  readonly code: string;
  readonly message: string;
  readonly path?: readonly string[];
  readonly explanation?: { readonly summary: string } | null;
  readonly violations?: readonly { readonly message: string }[];
  readonly consumers?: readonly { readonly uuid: string }[];
}

/** An entry of `errors` of an answer. */
export interface GraphQLFailure {
  readonly message: string;
  readonly extensions?: { readonly code?: string; readonly path?: readonly string[] };
}

export interface UnknownName {
  readonly kind: 'resource provider' | 'aggregate' | 'trait' | 'resource class';
  readonly name: string;
}

/** The failure of a command. The message is for people. */
export class Failure extends Error {
  constructor(
    readonly exit: ExitCode,
    message: string,
    /** The error code of the server, if it sent one. */
    readonly code?: string,
    readonly path?: readonly string[],
    /** The name that does not exist, for suggestions. */
    readonly unknown?: UnknownName,
  ) {
    super(message);
  }

  withMessage(message: string): Failure {
    return new Failure(this.exit, message, this.code, this.path);
  }

  static usage(message: string): Failure {
    return new Failure(EXIT.usage, message);
  }

  static notFound(message: string, unknown?: UnknownName): Failure {
    return new Failure(EXIT.notFound, message, 'NOT_FOUND', undefined, unknown);
  }

  static ofRejection({ code, message, path, explanation, violations, consumers }: Rejection): Failure {
    const details = [
      ...(explanation ? [explanation.summary] : []),
      ...(violations ?? []).map((each) => each.message),
      ...(consumers ?? []).map(({ uuid }) => uuid),
    ];
    const why = details.length === 0 ? message : `${message}: ${details.join('; ')}`;
    return new Failure(EXITS[code] ?? EXIT.refused, why, code, path);
  }

  /** @param errors of an operation that failed as a whole */
  static ofErrors([first]: readonly GraphQLFailure[]): Failure {
    const { code = '', path } = first.extensions ?? {};
    return new Failure(EXITS[code] ?? EXIT.failed, first.message, code, path);
  }
}

const MAX_TRIES = 10;

/** Retries work that reads and then writes, after conflicts with concurrent writers. */
export async function untilNoConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Failure && error.exit === EXIT.conflict) || tries === MAX_TRIES) throw error;
    }
  }
}
