import { uuidOfCopy } from '../moves/whatIf.js';
import type { ProviderEntity } from './entities.js';
import type { Context } from './context.js';

/** The part of an argument `whatIf` that adds copies, before its references are resolved. */
interface WithCopies {
  readonly whatIf?: {
    readonly add?: readonly {
      readonly copyOf: { readonly uuid?: string | null; readonly name?: string | null };
      readonly count: number;
    }[];
  } | null;
}

/** The name of a provider, the position of its copies in `add`, from 1, and the number of the copy. */
const COPY = /^(.*) \(copy ([1-9]\d{0,3})\.([1-9]\d{0,3})\)$/s;

/** Returns the uuid of a copy that the arguments add, by the name that answers give it; null: no such copy. */
export async function uuidOfNamedCopy(
  name: string,
  { whatIf }: WithCopies,
  { loaders: { providers } }: Context,
): Promise<string | null> {
  const [, original, position, number] = COPY.exec(name) ?? [];
  const added = whatIf?.add?.[Number(position) - 1];
  if (added === undefined || Number(number) > added.count) return null;
  const { uuid, name: source } = added.copyOf;
  const read = (): Promise<ProviderEntity | null> =>
    uuid == null ? providers.byName(source!) : providers.byUuid(uuid);
  const [copied, root] = await Promise.all([providers.byName(original), read()]);
  if (copied === null || copied.rootId !== root?.rootId) return null;
  return uuidOfCopy(copied.uuid, `${position}.${number}`);
}
