import { isJsonObject, type JsonObject } from '../meta/json-value.ts';
import type { ObjectSchema } from '../scheme/model/schema.ts';
import { unownedFields } from './unowned-fields.ts';
import { checkApplied } from './check-applied.ts';
import { difference, differenceWithBelow, equalSets, type FieldSet, noFields, union } from './field-set.ts';
import { fieldsOfValue } from './fields-of-value.ts';
import { mergeValues } from './merge-values.ts';
import { mergeInOnePass } from './single-pass-merge.ts';

/** A configuration and the object that it is applied to. */
interface AppliedConfiguration {
  readonly schema: ObjectSchema;
  readonly applied: JsonObject;
  /** Undefined if there is no object yet. */
  readonly live: JsonObject | undefined;
  /** The fields that the manager applied before. */
  readonly last: FieldSet | undefined;
  /** Fields that this write may not set, including all fields below them. */
  readonly reset: FieldSet;
}

/** The merge result of a valid configuration, or the errors of an invalid one. */
export type ReadConfiguration =
  | {
      /** The live object merged with the configuration. */
      readonly merged: JsonObject;
      /** The same, but with the live value of each leaf that differs only in form. */
      readonly normalised: JsonObject;
      /**
       * The fields that the manager owns; the set of the previous apply itself if they are the
       * same.
       */
      readonly fields: FieldSet;
    }
  | { readonly problems: readonly string[] };

/**
 * Checks and merges a configuration, and determines the fields that it sets. A repeated apply
 * mostly changes values but not the set of fields, and many objects are created alike. For these a
 * single pass is enough. The arguments are not changed.
 */
export function readConfiguration(configuration: AppliedConfiguration): ReadConfiguration {
  const { schema, applied, live, last, reset } = configuration;
  const expected = last ?? usualFields.get(schema) ?? noFields;
  const single = mergeInOnePass({ schema, applied, live, expected, ignored: ignoredFields(reset) });
  if (single?.asExpected) return { merged: single.value, normalised: single.normalised, fields: expected };
  const problems = single ? [] : checkApplied(schema, applied);
  if (problems.length > 0) return { problems };
  const merged = single?.value ?? merge(configuration);
  return { merged, normalised: single?.normalised ?? merged, fields: ownFields(configuration) };
}

function merge({ schema, applied, live }: AppliedConfiguration): JsonObject {
  const merged = mergeValues(schema, live ?? {}, applied);
  return isJsonObject(merged) ? merged : {};
}

/**
 * A pure cache: the fields of the last configuration of each kind. The next object of the kind
 * often has the same.
 */
const usualFields = new WeakMap<ObjectSchema, FieldSet>();

function ownFields({ schema, applied, last, reset }: AppliedConfiguration): FieldSet {
  const fields = difference(differenceWithBelow(fieldsOfValue(schema, applied), reset), unownedFields);
  // A known set has been compared and encoded before.
  const known = [last, usualFields.get(schema)].find((set) => set && equalSets(set, fields));
  if (!known) usualFields.set(schema, fields);
  return known ?? fields;
}

/** A pure cache: the union of the unowned fields and each `reset` set. */
const ignoredSets = new WeakMap<FieldSet, FieldSet>();

function ignoredFields(reset: FieldSet): FieldSet {
  let ignored = ignoredSets.get(reset);
  if (!ignored) {
    ignored = union(unownedFields, reset);
    ignoredSets.set(reset, ignored);
  }
  return ignored;
}
