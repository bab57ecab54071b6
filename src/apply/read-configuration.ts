import { isJsonObject, type JsonObject } from '../meta/json-value.ts';
import type { ObjectSchema } from '../scheme/schema.ts';
import { unownedFields } from './unowned-fields.ts';
import { checkApplied } from './check-applied.ts';
import { difference, differenceWithBelow, equalSets, type FieldSet, noFields, union } from './field-set.ts';
import { fieldsOfValue } from './fields-of-value.ts';
import { mergeValues } from './merge-values.ts';
import { overlay } from './overlay.ts';

/** A configuration, and what it is applied to. */
interface AppliedConfiguration {
  readonly schema: ObjectSchema;
  readonly applied: JsonObject;
  /** Undefined for an object that is to be created. */
  readonly live: JsonObject | undefined;
  /** What its manager applied before. */
  readonly last: FieldSet | undefined;
  /** Whole fields that this write may not set. */
  readonly reset: FieldSet;
}

/** A configuration that can be applied, or what keeps it from that. */
export type ReadConfiguration =
  | {
      /** The live object with the configuration merged in. */
      readonly merged: JsonObject;
      /** The same, sharing also what the configuration only spells in another way. */
      readonly respelled: JsonObject;
      /** What its manager owns; the very set of last time where that is the same. */
      readonly fields: FieldSet;
    }
  | { readonly problems: readonly string[] };

/**
 * Checks a configuration, merges it and says whose fields it sets. Whoever applies again mostly changes values and no fields, and
 * many objects are made alike: that takes one walk. Changes nothing.
 */
export function readConfiguration(configuration: AppliedConfiguration): ReadConfiguration {
  const { schema, applied, live, last, reset } = configuration;
  const expected = last ?? usualFields.get(schema) ?? noFields;
  const laid = overlay({ schema, applied, live, expected, ignored: ignoredFields(reset) });
  if (laid?.asExpected) return { merged: laid.value, respelled: laid.respelled, fields: expected };
  const problems = laid ? [] : checkApplied(schema, applied);
  if (problems.length > 0) return { problems };
  const merged = laid?.value ?? merge(configuration);
  return { merged, respelled: laid?.respelled ?? merged, fields: ownFields(configuration) };
}

function merge({ schema, applied, live }: AppliedConfiguration): JsonObject {
  const merged = mergeValues(schema, live ?? {}, applied);
  return isJsonObject(merged) ? merged : {};
}

/** A cache, not state: the set of the last configuration of each kind, which the next one of another object may have too. */
const usualFields = new WeakMap<ObjectSchema, FieldSet>();

function ownFields({ schema, applied, last, reset }: AppliedConfiguration): FieldSet {
  const fields = difference(differenceWithBelow(fieldsOfValue(schema, applied), reset), unownedFields);
  // A set that is known has been compared and written before.
  const known = [last, usualFields.get(schema)].find((set) => set && equalSets(set, fields));
  if (!known) usualFields.set(schema, fields);
  return known ?? fields;
}

/** A cache, not state: what is nobody's, for each set of fields that a write may not set. */
const ignoredSets = new WeakMap<FieldSet, FieldSet>();

function ignoredFields(reset: FieldSet): FieldSet {
  let ignored = ignoredSets.get(reset);
  if (!ignored) {
    ignored = union(unownedFields, reset);
    ignoredSets.set(reset, ignored);
  }
  return ignored;
}
