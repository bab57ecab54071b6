import { isJsonObject, type JsonObject } from '../meta/json-value.ts';
import type { ObjectSchema } from '../scheme/model/schema.ts';
import { checkApplied } from './check-applied.ts';
import { difference, differenceWithBelow, equalSets, type FieldSet, unownedFields } from './field-set.ts';
import { mergeValues } from './merge-values.ts';

/** A configuration and the object that it is applied to. */
interface AppliedConfiguration {
  readonly schema: ObjectSchema;
  readonly applied: JsonObject;
  /** The live object; undefined if there is none yet. */
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
      /**
       * The fields that the manager owns; the set of the previous apply itself if they are the
       * same.
       */
      readonly fields: FieldSet;
    }
  | { readonly problems: readonly string[] };

/**
 * Checks and merges a configuration, and determines the fields that it sets. The arguments are not
 * changed.
 */
export function readConfiguration(configuration: AppliedConfiguration): ReadConfiguration {
  const { schema, applied, live } = configuration;
  const { problems, fields } = checkApplied(schema, applied);
  if (problems.length > 0) return { problems };
  const merged = mergeValues(schema, live ?? {}, applied);
  return { merged: isJsonObject(merged) ? merged : {}, fields: ownFields(configuration, fields) };
}

/**
 * A pure cache: the fields of the last configuration of each kind. The next object of the kind
 * often has the same.
 */
const usualFields = new WeakMap<ObjectSchema, FieldSet>();

function ownFields({ schema, last, reset }: AppliedConfiguration, all: FieldSet): FieldSet {
  const fields = difference(differenceWithBelow(all, reset), unownedFields);
  // A known set has been compared and encoded before.
  const known = [last, usualFields.get(schema)].find((set) => set && equalSets(set, fields));
  if (!known) usualFields.set(schema, fields);
  return known ?? fields;
}
