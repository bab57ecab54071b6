import assert from 'node:assert/strict';
import { type ApplyOutcome, beginApply } from '../../../src/apply/apply-configuration.ts';
import { conflictMessage } from '../../../src/apply/conflicts.ts';
import { fieldSetOf, pathsInOrder } from '../../../src/apply/field-set.ts';
import { decodeManagers, encodeManagers } from '../../../src/apply/managed-fields.ts';
import { pathText } from '../../../src/apply/path-text.ts';
import type { VersionView } from '../../../src/apply/prune.ts';
import { compareChange, updateManagedFields } from '../../../src/apply/update-managed-fields.ts';
import { decodeYaml } from '../../../src/codec/decode-yaml.ts';
import { isJsonObject, type JsonObject } from '../../../src/meta/json-value.ts';
import { applyMergePatch } from '../../../src/patch/merge-patch.ts';
import { decodeObject } from '../../../src/scheme/decode-object.ts';
import type { ObjectSchema } from '../../../src/scheme/model/schema.ts';

/** A version whose conversions take no time. */
interface StoryView extends VersionView {
  readonly fromRequest: (object: JsonObject) => JsonObject;
  readonly toRequest: (object: JsonObject) => JsonObject;
}

/** A version of the kind that a story is about; the first one is stored. */
export interface StoryVersion {
  readonly schema: ObjectSchema;
  readonly fromStored?: (object: JsonObject) => JsonObject;
  readonly toStored?: (object: JsonObject) => JsonObject;
}

interface WriteOptions {
  readonly version?: string;
  readonly force?: boolean;
  readonly subresource?: string;
}

/** What writers do to one object, told in YAML, and what comes of it. */
export interface Story {
  apply(manager: string, yaml: string, options?: WriteOptions): void;
  /** The message with which an apply is refused; nothing changes. */
  conflict(manager: string, yaml: string, options?: WriteOptions): string;
  /** Replaces the object. */
  update(manager: string, yaml: string, options?: WriteOptions): void;
  /** A merge patch. */
  patch(manager: string, yaml: string, options?: WriteOptions): void;
  /** Forgets who owns what. */
  strip(): void;
  /** Serves a version no longer. */
  withdraw(version: string): void;
  /** The object as stored, without metadata that is nobody's. */
  readonly object: JsonObject;
  /** Paths by manager: `alice`, `bob (Update)`, `eve (Update v2 status)`. */
  readonly owners: Readonly<Record<string, readonly string[]>>;
  readonly times: Readonly<Record<string, string>>;
  /** How many writes changed what is stored. */
  readonly writes: number;
}

function refusalOf(outcome: ApplyOutcome): string | undefined {
  if ('problems' in outcome) return outcome.problems.join();
  return 'conflicts' in outcome ? conflictMessage(outcome.conflicts) : undefined;
}

export function story(versions: Readonly<Record<string, StoryVersion>>): Story {
  const [stored = ''] = Object.keys(versions);
  let live: JsonObject | undefined;
  let managedFields: JsonObject[] = [];
  const withdrawn = new Set<string>();
  let writes = 0;
  let clock = 0;
  const same = (object: JsonObject): JsonObject => object;
  const versionOf = (name: string): Required<StoryVersion> => {
    const version = versions[name];
    assert.ok(version, name);
    return { fromStored: same, toStored: same, ...version };
  };
  const read = (yaml: string): JsonObject => {
    const { value } = decodeYaml(Buffer.from(yaml));
    return isJsonObject(value) ? value : {};
  };
  const store = (name: string, object: JsonObject, list: JsonObject[]): void => {
    const { schema, toStored } = versionOf(name);
    const next = decodeObject(versionOf(stored).schema, toStored(decodeObject(schema, object).value)).value;
    const before = JSON.stringify([live, managedFields]);
    [live, managedFields] = [next, list];
    if (JSON.stringify([live, managedFields]) !== before) writes++;
  };
  const liveIn = (name: string): JsonObject | undefined => live && versionOf(name).fromStored(live);
  const view = (from: string, to: string): StoryView | undefined => {
    if (!versions[to] || withdrawn.has(to)) return undefined;
    const convert = (a: string, b: string, object: JsonObject) =>
      versionOf(b).fromStored(versionOf(a).toStored(object));
    return {
      schema: versionOf(to).schema,
      fromRequest: (object) => convert(from, to, object),
      toRequest: (object) => convert(to, from, object),
      movesFields: true,
    };
  };
  const applied = (manager: string, yaml: string, options: WriteOptions) => {
    const { version = stored, force = false, subresource = '' } = options;
    const finish = beginApply({
      manager,
      subresource,
      apiVersion: version,
      schema: versionOf(version).schema,
      applied: read(yaml),
      live: liveIn(version),
      stored: managedFields,
      isComplete: false,
      force,
      reset: fieldSetOf(subresource === '' ? [['f:status']] : []),
      time: `t${++clock}`,
      lastApplied: { manager: 'cli', annotation: 'cli/last-applied' },
      view: (apiVersion) => view(version, apiVersion),
    });
    const outcome = finish();
    assert.ok(!(outcome instanceof Promise), 'no conversion here takes time');
    return outcome;
  };
  const update = (manager: string, version: string, next: JsonObject, subresource: string): void => {
    const reset = fieldSetOf(subresource === '' ? [['f:status']] : []);
    const managers = updateManagedFields({
      manager,
      subresource,
      apiVersion: version,
      time: `t${++clock}`,
      reset,
      sent: undefined,
      stored: managedFields,
      isNew: live === undefined,
      inVersion: (apiVersion) => {
        const other = view(version, apiVersion);
        if (!other) return undefined;
        const change = { schema: other.schema, live: liveIn(apiVersion) ?? {}, next: other.fromRequest(next) };
        return compareChange(change, reset);
      },
    });
    store(version, next, encodeManagers(managers));
  };
  return {
    apply: (manager, yaml, options = {}) => {
      const outcome = applied(manager, yaml, options);
      assert.ok('object' in outcome, refusalOf(outcome));
      const { object, managers, sameOwners } = outcome;
      const { version = stored } = options;
      const next = decodeObject(versionOf(version).schema, object).value;
      const unchanged = sameOwners && JSON.stringify(versionOf(version).toStored(next)) === JSON.stringify(live);
      store(version, object, unchanged ? managedFields : encodeManagers(managers));
    },
    conflict: (manager, yaml, options = {}) => {
      const outcome = applied(manager, yaml, options);
      assert.ok('conflicts' in outcome, 'no conflict');
      return conflictMessage(outcome.conflicts);
    },
    update: (manager, yaml, { version = stored, subresource = '' } = {}) =>
      update(manager, version, decodeObject(versionOf(version).schema, read(yaml)).value, subresource),
    patch: (manager, yaml, { version = stored, subresource = '' } = {}) => {
      const next = applyMergePatch(liveIn(version) ?? {}, read(yaml));
      update(manager, version, isJsonObject(next) ? next : {}, subresource);
    },
    withdraw: (version) => {
      withdrawn.add(version);
    },
    strip: () => {
      managedFields = [];
    },
    get object() {
      return live ?? {};
    },
    get owners() {
      return Object.fromEntries(
        (decodeManagers(managedFields) ?? []).map((manager) => {
          const how = [
            manager.operation === 'Update' ? 'Update' : '',
            manager.apiVersion === stored ? '' : manager.apiVersion,
            manager.subresource,
          ].filter((word) => word !== '');
          const name = how.length > 0 ? `${manager.name} (${how.join(' ')})` : manager.name;
          return [name, [...pathsInOrder(manager.fields)].map(pathText)];
        }),
      );
    },
    get times() {
      return Object.fromEntries((decodeManagers(managedFields) ?? []).map(({ name, time }) => [name, time]));
    },
    get writes() {
      return writes;
    },
  };
}
