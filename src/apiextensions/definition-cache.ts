import { JsonDecodeError } from '../codec/decode-error.ts';
import type { CustomResourceDefinition } from '../gen/stored/apiextensions-v1.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { type DefinitionOutline, parseOutline, schemaIn } from './custom-resources/definition-outline.ts';
import { acceptNames } from './customresourcedefinitions/accept-names.ts';
import { FieldDecodeError } from '../scheme/model/field-decode-error.ts';
import { isConditionTrue } from './customresourcedefinitions/definition-condition.ts';
import type { CachedObject } from '../storage/objects/cached-object.ts';

/** A definition in the cache. */
export interface CachedDefinition {
  /**
   * The present state. A definition that is not established yet has the names and conditions that
   * it will get, so that it is served before they are written.
   */
  readonly outline: DefinitionOutline;
  /** The definition as it is stored, without schemas. */
  readonly stored: CustomResourceDefinition;
  readonly source: SchemaSource;
}

/** Reads the schemas of a definition when they are used. */
class SchemaSource {
  /** Any state of the definition with these schemas; the latest, so that no other is kept alive. */
  object: CachedObject;

  constructor(object: CachedObject) {
    this.object = object;
  }

  /**
   * The decoded definition: readers of one schema mostly read the schemas of other versions, too.
   */
  #decoded: WeakRef<CustomResourceDefinition> | undefined;

  /** The schema of a version; undefined if it has none. Must not be changed. */
  readonly schemaOf = (version: string): JsonObject | undefined => {
    let crd = this.#decoded?.deref();
    if (!crd) {
      crd = this.decode();
      this.#decoded = new WeakRef(crd);
    }
    return schemaIn(crd, version);
  };

  /** Decodes the whole definition. */
  decode(): CustomResourceDefinition {
    // The cache completes the objects that it decodes.
    return this.object.decode() as unknown as CustomResourceDefinition;
  }
}

/** The outline; undefined for a damaged definition, which defines nothing. */
function readableOutline(source: SchemaSource): DefinitionOutline | undefined {
  try {
    return parseOutline(() => source.object.json);
  } catch (error) {
    if (error instanceof FieldDecodeError || error instanceof JsonDecodeError) return undefined;
    throw error;
  }
}

/** The group of the resource that a definition defines. */
export function groupOf({ spec }: CustomResourceDefinition): string {
  return spec.group;
}

/** The definitions of the server, by their keys in the store and by their groups. */
export class DefinitionCache {
  /** The groups that no definition can change. */
  readonly builtInGroups: ReadonlySet<string>;
  readonly #all = new Map<string, CachedDefinition>();
  readonly #groups = new Map<string, Map<string, CustomResourceDefinition>>();

  constructor(builtInGroups: ReadonlySet<string>) {
    this.builtInGroups = builtInGroups;
  }

  get all(): ReadonlyMap<string, CachedDefinition> {
    return this.#all;
  }

  /** The definitions of a group without schemas, with the names that they have or will get. */
  ofGroup(group: string): Iterable<CustomResourceDefinition> {
    return this.#groups.get(group)?.values() ?? [];
  }

  /** Takes the present state of a definition; undefined if there is none. */
  set(key: string, object: CachedObject | undefined): void {
    const before = this.#all.get(key);
    if (before) this.#groups.get(groupOf(before.outline.crd))?.delete(key);
    const source = object && new SchemaSource(object);
    const outline = source && readableOutline(source);
    if (outline) this.#keep(key, { outline, stored: outline.crd, source });
    else this.#all.delete(key);
  }

  /**
   * Gives the names that are free now to a definition that waits for names. Returns its new state.
   */
  retryNames(key: string): CachedDefinition | undefined {
    const known = this.#all.get(key);
    if (known) this.#keep(key, known);
    return this.#all.get(key);
  }

  /**
   * Servers see the definitions of a group in the same order, so that all accept the same names
   * without waiting for the one that writes the conditions.
   */
  #keep(key: string, { outline, stored, source }: CachedDefinition): void {
    const group = groupOf(stored);
    const isEstablished = isConditionTrue(stored, 'Established');
    const crd = isEstablished ? stored : acceptNames(stored, this.ofGroup(group));
    this.#all.set(key, { outline: { ...outline, crd }, stored, source });
    const members = this.#groups.get(group) ?? new Map<string, CustomResourceDefinition>();
    this.#groups.set(group, members.set(key, crd));
  }
}
