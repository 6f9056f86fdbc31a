import { OWN_WORK, type Client, type Owner } from './client.js';

/** Items that wait. Clients take turns, and so do the owners of one client. The items of one owner keep their order. */
export class Rotation<Item> {
  /** By client and owner. The next client and the next owner come first. */
  private readonly waiting = new Map<string, Map<Owner, Item[]>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** How many clients have items. */
  get clients(): number {
    return this.waiting.size;
  }

  has(owner: Owner): boolean {
    return this.waiting.get(idOf(owner))?.has(owner) ?? false;
  }

  countOf({ id }: Client): number {
    const owners = this.waiting.get(id)?.values() ?? [];
    return [...owners].reduce((sum, { length }) => sum + length, 0);
  }

  add(owner: Owner, item: Item): void {
    const id = idOf(owner);
    const owners = this.waiting.get(id) ?? new Map<Owner, Item[]>();
    this.waiting.set(id, owners);
    const items = owners.get(owner);
    if (items === undefined) owners.set(owner, [item]);
    else items.push(item);
    this.count++;
  }

  /** Returns the first owner that is ready, and its first item. */
  find(isReady: (owner: Owner) => boolean): readonly [owner: Owner, item: Item] | null {
    for (const owners of this.waiting.values())
      for (const [owner, items] of owners) if (isReady(owner)) return [owner, items[0]];
    return null;
  }

  remove(owner: Owner, item: Item): void {
    const id = idOf(owner);
    const owners = this.waiting.get(id)!;
    const items = owners.get(owner)!;
    items.splice(items.indexOf(item), 1);
    this.count--;
    if (items.length === 0) owners.delete(owner);
    if (owners.size === 0) this.waiting.delete(id);
  }

  /** Puts an owner behind the others of its client, and the client behind all others. */
  rotate(owner: Owner): void {
    const id = idOf(owner);
    const owners = this.waiting.get(id);
    if (owners === undefined) return;
    const items = owners.get(owner);
    if (items !== undefined) {
      owners.delete(owner);
      owners.set(owner, items);
    }
    this.waiting.delete(id);
    this.waiting.set(id, owners);
  }
}

function idOf({ client = OWN_WORK }: Owner): string {
  return client.id;
}
