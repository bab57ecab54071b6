import { type Catalogue, type CatalogueGroup, catalogueOfGroups, groupOf } from './catalogue.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import { groupBy } from '../../meta/group-by.ts';

/** The current catalogue and its changes. */
export interface LiveCatalogue {
  readonly current: Catalogue;
  /**
   * Calls `listener` after each change, in the order of the changes. Returns a function that
   * removes the listener.
   */
  onChange(listener: (change: CatalogueChange) => void): () => void;
}

/** The addition, replacement or removal of one resource. */
interface CatalogueChange {
  readonly catalogue: Catalogue;
  /** The previous definition of the same group and resource. */
  readonly removed: ResourceDefinition | undefined;
  readonly added: ResourceDefinition | undefined;
}

/**
 * A catalogue whose resources change while the server runs. A change creates a new snapshot that
 * shares all other groups with the previous one, so its cost does not grow with resources of other
 * groups.
 */
export class MutableCatalogue implements LiveCatalogue {
  #groups: ReadonlyMap<string, CatalogueGroup>;
  #current: Catalogue;
  readonly #listeners = new Set<(change: CatalogueChange) => void>();

  constructor(definitions: readonly ResourceDefinition[]) {
    const byGroup = groupBy(definitions, ({ group }) => group);
    this.#groups = new Map([...byGroup].map(([name, members]) => [name, groupOf(members)]));
    this.#current = catalogueOfGroups(this.#groups);
  }

  get current(): Catalogue {
    return this.#current;
  }

  onChange(listener: (change: CatalogueChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Adds a resource or replaces the one with the same group and name. */
  put(definition: ResourceDefinition): void {
    const { group, resource } = definition;
    const members = this.#groups.get(group)?.resources ?? [];
    const removed = members.find((member) => member.resource === resource);
    const next = removed
      ? members.map((member) => (member === removed ? definition : member))
      : [...members, definition];
    this.#change(group, next, { removed, added: definition });
  }

  /** Removes a resource, and its group with the last resource. */
  remove(group: string, resource: string): void {
    const members = this.#groups.get(group)?.resources ?? [];
    const removed = members.find((member) => member.resource === resource);
    if (!removed) return;
    const next = members.filter((member) => member !== removed);
    this.#change(group, next, { removed, added: undefined });
  }

  #change(group: string, members: readonly ResourceDefinition[], change: Omit<CatalogueChange, 'catalogue'>): void {
    const groups = new Map(this.#groups);
    if (members.length > 0) groups.set(group, groupOf(members));
    else groups.delete(group);
    this.#groups = groups;
    const catalogue = (this.#current = catalogueOfGroups(groups));
    for (const listener of this.#listeners) listener({ ...change, catalogue });
  }
}
