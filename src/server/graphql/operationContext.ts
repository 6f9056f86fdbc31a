import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../api/context.js';
import { completeContext } from '../../api/requestContext.js';
import type { Process } from '../process.js';
import type { Received } from './receivedBody.js';

/** Adds the context of resolvers to that of the request: Yoga's option `context` would use `Object.assign`. */
export function useContext(process: Process): Plugin<Context, Received> {
  return {
    onContextBuilding({ context }) {
      (context as unknown as Partial<Received>).record?.validated();
      completeContext(context, process);
    },
  };
}
