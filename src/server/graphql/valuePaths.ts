import { GraphQLError, Kind, visit, type ASTNode, type DocumentNode } from 'graphql';

/** Adds `extensions.path` to validation errors of inline values, as errors of variables have it. */
export function withPaths(document: DocumentNode, errors: readonly GraphQLError[]): readonly GraphQLError[] {
  if (errors.length === 0) return errors;
  const nodes = new Set(errors.map(({ nodes }) => nodes?.[0]));
  const paths = new Map<ASTNode, string[]>();
  visit(document, {
    enter(node, _key, _parent, keys) {
      if (nodes.has(node)) paths.set(node, valuePath(document, keys));
    },
  });
  return errors.map((error) => {
    const { message, nodes, source, positions, extensions } = error;
    const path = nodes && paths.get(nodes[0]);
    if (!path?.length) return error;
    return new GraphQLError(message, { nodes, source, positions, extensions: { ...extensions, path } });
  });
}

const NAMED: ReadonlySet<string | undefined> = new Set([Kind.ARGUMENT, Kind.OBJECT_FIELD]);

/** Returns the path of a value, starting with the name of its argument. [] for other nodes. */
function valuePath(document: DocumentNode, keys: readonly (string | number)[]): string[] {
  const path: string[] = [];
  let at = document as unknown as Record<string | number, never>;
  for (const [depth, key] of keys.entries()) {
    at = at[key];
    const { kind, name } = at as { readonly kind?: string; readonly name?: { readonly value: string } };
    if (NAMED.has(kind)) path.push(name!.value);
    else if (keys[depth - 1] === 'values') path.push(String(key));
  }
  return path;
}
