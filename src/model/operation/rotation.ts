import { OWN_WORK, type Client, type Owner } from './client.js';
import { Shares } from './shares.js';

/**
 * Items that wait. The client that has used the least comes next. The owners of one client take turns, and the items
 * of one owner keep their order.
 */
export class Rotation<Item> {
  /** By client and owner. The next owner of a client comes first; so does the client that has waited longest. */
  private readonly waiting = new Map<string, Map<Owner, Item[]>>();
  private count = 0;

  /** @param shares what each client has used, by its id. Several rotations may share it. */
  constructor(private readonly shares = new Shares<string>()) {}

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
    let found: readonly [owner: Owner, item: Item] | null = null;
    let least = Infinity;
    for (const [id, owners] of this.waiting) {
      const used = this.shares.usedBy(id);
      if (used >= least) continue;
      for (const [owner, items] of owners) {
        if (!isReady(owner)) continue;
        [found, least] = [[owner, items[0]], used];
        break;
      }
    }
    return found;
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

  /** Puts an owner behind the others of its client, and the client behind those that have used no more. */
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

  /** Records what the client of an owner has used. */
  use(owner: Owner, amount: number): void {
    this.shares.use(idOf(owner), amount);
  }
}

function idOf({ client = OWN_WORK }: Owner): string {
  return client.id;
}
