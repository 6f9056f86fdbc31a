import type { Names } from '../../engine/model/snapshot.js';
import type { NamedRecord } from './providerData.js';

export class NameTable implements Names {
  private readonly ids = new Map<string, number>();
  private readonly names = new Map<number, string>();

  constructor(records: readonly NamedRecord[]) {
    for (const { id, name } of records) {
      this.ids.set(name, id);
      this.names.set(id, name);
    }
  }

  idOf(name: string): number | undefined {
    return this.ids.get(name);
  }

  has(id: number): boolean {
    return this.names.has(id);
  }

  entries(): Iterable<readonly [id: number, name: string]> {
    return this.names;
  }

  nameOf(id: number): string {
    const name = this.names.get(id);
    if (name === undefined) throw new Error(`no name is known for id ${id}`);
    return name;
  }
}
