import type { JsonObject } from '../meta/json-value.ts';
import { objectAt, stringAt } from '../meta/read-field.ts';
import {
  type DefinitionOutline,
  outlineOf,
  schemaIn,
} from '../resources/apiextensions/custom-resources/definition-outline.ts';
import type { CachedObject } from '../storage/objects/cached-object.ts';

/** A definition in the cache. */
export interface KnownDefinition {
  readonly outline: DefinitionOutline;
  readonly source: SchemaSource;
}

/** Reads the schemas of a definition when they are used. */
class SchemaSource {
  /** Any state of the definition with these schemas; the latest, so that no other is kept alive. */
  object: CachedObject;

  constructor(object: CachedObject) {
    this.object = object;
  }

  /** The schema of a version; undefined if it has none. */
  readonly schemaOf = (version: string): JsonObject | undefined => schemaIn(this.object.decode(), version);
}

/** The group of the resource that a definition defines. */
export function groupOf(crd: JsonObject): string {
  return stringAt(objectAt(crd, 'spec'), 'group');
}

/** The definitions of the server, by their keys in the store and by their groups. */
export class KnownDefinitions {
  /** The groups that no definition can change. */
  readonly builtInGroups: ReadonlySet<string>;
  readonly #all = new Map<string, KnownDefinition>();
  readonly #groups = new Map<string, Map<string, JsonObject>>();

  constructor(builtInGroups: ReadonlySet<string>) {
    this.builtInGroups = builtInGroups;
  }

  get all(): ReadonlyMap<string, KnownDefinition> {
    return this.#all;
  }

  /** The outlines of the definitions of a group. */
  ofGroup(group: string): Iterable<JsonObject> {
    return this.#groups.get(group)?.values() ?? [];
  }

  /** Takes the present state of a definition; undefined if there is none. */
  set(key: string, object: CachedObject | undefined): void {
    const before = this.#all.get(key);
    if (before) this.#groups.get(groupOf(before.outline.crd))?.delete(key);
    if (!object) {
      this.#all.delete(key);
      return;
    }
    const source = new SchemaSource(object);
    const outline = outlineOf(() => source.object.json);
    this.#all.set(key, { outline, source });
    const group = groupOf(outline.crd);
    const members = this.#groups.get(group) ?? new Map<string, JsonObject>();
    this.#groups.set(group, members.set(key, outline.crd));
  }
}
