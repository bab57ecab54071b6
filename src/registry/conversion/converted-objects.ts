import { performance } from 'node:perf_hooks';
import { yieldIfLong, nextTurn } from '../../async/yield-if-long.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { FieldDecodeError } from '../../scheme/model/field-decode-error.ts';
import { decodeObject } from '../../scheme/decode-object.ts';
import { StatusError } from '../../status/status-error.ts';
import type { ObjectDecoding, CachedObject } from '../../storage/objects/cached-object.ts';
import { cachedObject } from '../../storage/objects/resource-reading.ts';
import { packedFromBytes } from '../../storage/objects/large-objects.ts';
import { computedValue, encodeStoredObject, storedHead } from '../../storage/objects/stored-object.ts';
import type { ConversionResult, ConvertObjects } from '../definition/resource-definition.ts';
import type { ServedVersion } from '../definition/stored-resource.ts';
import type { ConversionCache } from './conversion-cache.ts';

/** The limits of one conversion: of a review that a webhook gets. */
const objectsAtOnce = 100;
const bytesAtOnce = 1024 * 1024;
/** The number of conversions that one list runs at a time. */
const parallelConversions = 4;

interface ConversionDependencies {
  /** The version in which objects are shown. */
  readonly version: ServedVersion;
  readonly isStorageVersion: boolean;
  readonly convert: ConvertObjects;
  /** True if a conversion changes the apiVersion alone. */
  readonly relabels: boolean;
  readonly decoding: ObjectDecoding;
  readonly kept: ConversionCache;
}

type Outcome = { readonly object: CachedObject } | { readonly error: unknown };

/**
 * The objects of a resource in one version. Each state of an object is converted once: its
 * conversion is kept, and concurrent readers share it. Objects that were stored in the version are
 * not converted. A conversion that fails is not kept.
 */
export class ConvertedObjects {
  readonly #dependencies: ConversionDependencies;
  readonly #head: Buffer;
  readonly #owner: number;
  readonly #running = new Map<string, Promise<Outcome>>();

  constructor(dependencies: ConversionDependencies) {
    this.#dependencies = dependencies;
    this.#head = Buffer.from(storedHead(dependencies.version));
    this.#owner = dependencies.kept.newOwner();
  }

  /** The object in the version, if that takes no conversion. */
  known(object: CachedObject): CachedObject | undefined {
    const isCurrent = this.#dependencies.isStorageVersion && !object.outdated;
    const isShown = isCurrent || object.beginsWith(this.#head);
    if (isShown) return object;
    return this.#dependencies.kept.get(this.#owner, object);
  }

  /** The object in the version. Throws `StatusError` if it cannot be converted. */
  async one(object: CachedObject): Promise<CachedObject> {
    return this.known(object) ?? (await this.all([object]))[0] ?? object;
  }

  /** The objects in the version, in order. Throws `StatusError` if one cannot be converted. */
  async all(objects: readonly CachedObject[]): Promise<readonly CachedObject[]> {
    const shown = objects.map((object) => this.known(object));
    const missing = objects.filter((_, index) => !shown[index]);
    const outcomes = missing.length > 0 ? await this.#convertAll(missing) : [];
    const converted = outcomes.map(objectOf).values();
    return shown.flatMap((object) => object ?? converted.next().value ?? []);
  }

  #convertAll(objects: readonly CachedObject[]): Promise<readonly Outcome[]> {
    const batches = batchesOf(objects);
    const [first] = batches;
    return first && batches.length === 1 ? this.#convertShared(first) : this.#convertBatches(batches);
  }

  async #convertBatches(batches: readonly (readonly CachedObject[])[]): Promise<readonly Outcome[]> {
    const outcomes: (readonly Outcome[])[] = [];
    const queue = batches.entries();
    const work = async (): Promise<void> => {
      for (const [index, batch] of queue) {
        outcomes[index] = await this.#convertShared(batch);
        await nextTurn();
      }
    };
    await Promise.all(Array.from({ length: parallelConversions }, work));
    return outcomes.flat();
  }

  /** Converts a batch, but for the objects that are being converted for others. */
  async #convertShared(objects: readonly CachedObject[]): Promise<readonly Outcome[]> {
    const own = objects.filter((object) => !this.#running.has(nameOf(object)));
    if (own.length > 0) this.#begin(own);
    return Promise.all(objects.map(async (object) => (await this.#running.get(nameOf(object))) ?? noOutcome));
  }

  /** Throws Corrupt for an object that cannot be decoded. */
  #begin(objects: readonly CachedObject[]): void {
    const start = performance.now();
    const decoded = objects.map((object) => object.decode());
    const converting = this.#convert(objects, decoded, start);
    for (const [index, object] of objects.entries()) {
      const name = nameOf(object);
      const outcome = converting.then((outcomes) => {
        this.#running.delete(name);
        return outcomes[index] ?? noOutcome;
      });
      this.#running.set(name, outcome);
    }
  }

  async #convert(
    objects: readonly CachedObject[],
    decoded: readonly JsonObject[],
    startMs: number,
  ): Promise<readonly Outcome[]> {
    const { version, convert } = this.#dependencies;
    await yieldIfLong(startMs);
    const results = await convert(decoded, version.apiVersion);
    return objects.map((object, index) => {
      const result = results[index];
      return result ? this.#outcome(object, result) : noOutcome;
    });
  }

  #outcome(source: CachedObject, result: ConversionResult): Outcome {
    if ('error' in result) return result;
    const { version, decoding, kept } = this.#dependencies;
    const { namespace, name, key, revision, outdated } = source;
    const encode = (object: JsonObject) => encodeStoredObject(decodeObject(version.schema, object).value);
    const names = { key, revision, ...(outdated ? { outdated } : {}) };
    try {
      const again = this.#conversionAgain(source, result.object);
      const stored = again ? computedValue(names, () => encode(again())) : { ...names, value: encode(result.object) };
      const object = cachedObject(stored, { namespace, name, decoding, typedItems: true, encodings: kept.encodings });
      kept.set(this.#owner, source, object);
      return { object };
    } catch (error) {
      if (error instanceof FieldDecodeError) return { error: new StatusError('', error.message, { cause: error }) };
      return { error };
    }
  }

  /**
   * Returns a function that makes the conversion of a large object; undefined for other objects,
   * and if webhooks convert. All objects of a list are converted before the first is sent, and
   * would be in memory together.
   */
  #conversionAgain(source: CachedObject, first: JsonObject): (() => JsonObject) | undefined {
    const { version, relabels } = this.#dependencies;
    if (!relabels || source.size < packedFromBytes) return undefined;
    let next: JsonObject | undefined = first;
    return () => {
      const object = next ?? { ...source.decode(), apiVersion: version.apiVersion };
      next = undefined;
      return object;
    };
  }
}

const noOutcome: Outcome = { error: new StatusError('', 'the conversion gave no object') };

function objectOf(outcome: Outcome): CachedObject {
  if ('error' in outcome) throw outcome.error;
  return outcome.object;
}

function nameOf({ revision, key }: CachedObject): string {
  return `${revision} ${key}`;
}

function batchesOf(objects: readonly CachedObject[]): readonly (readonly CachedObject[])[] {
  const batches: CachedObject[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const object of objects) {
    const last = batches.at(-1);
    bytes += object.size;
    if (last && last.length < objectsAtOnce && bytes <= bytesAtOnce) last.push(object);
    else {
      batches.push([object]);
      bytes = object.size;
    }
  }
  return batches;
}
