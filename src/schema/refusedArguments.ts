import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import { GraphQLError, type GraphQLFieldResolver } from 'graphql';
import { InvalidInput } from '../domain/invalidInput.js';

const NAME = 'refusedArguments' as const;

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how Pothos learns of a plugin
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      [NAME]: RefusedArgumentsPlugin<Types>;
    }
  }
}

/**
 * Where a field that is no mutation refuses an argument, the answer tells which field of the document that was.
 * graphql-js adds the place to any error but one with a `path`, which it takes for a place; so InvalidInput, whose
 * path leads into the argument, travels inside of another error.
 */
class RefusedArgumentsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { kind, args }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    return kind === 'Mutation' || Object.keys(args).length === 0 ? resolver : placed(resolver);
  }

  override wrapSubscribe(
    subscriber: GraphQLFieldResolver<unknown, Types['Context'], object> | undefined,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> | undefined {
    return subscriber && placed(subscriber);
  }
}

function placed<Context>(
  resolver: GraphQLFieldResolver<unknown, Context, object>,
): GraphQLFieldResolver<unknown, Context, object> {
  return async (...call): Promise<unknown> => {
    try {
      return await resolver(...call);
    } catch (error) {
      if (error instanceof InvalidInput) throw new GraphQLError(error.message, { originalError: error });
      throw error;
    }
  };
}

SchemaBuilder.registerPlugin(NAME, RefusedArgumentsPlugin);

export default NAME;
