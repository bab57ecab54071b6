import { isJsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { Difference } from '../compare.ts';
import { textAt, valueAt } from '../json-paths.ts';
import type { SequenceStep } from '../sequence.ts';
import {
  bodyPlace,
  causesOf,
  type Exchange,
  type FieldNames,
  isOwnership,
  isStatus,
  type KnownDifference,
  ownedField,
} from './known-difference.ts';
import { documentOf, liveBefore } from './live-object.ts';
import { isAbout, isOfEventMore, isOfGeneration, isWhereMet } from './fields-of-difference.ts';
import { conflictRow, conflictRows } from './custom-conflicts.ts';
import { isOfLostFinalizer } from './lost-finalizers.ts';
import { isUnrecorded } from './unrecorded-owners.ts';
import { hasDoubles, hasUnkeyedItems } from './untyped-items.ts';
import { withdrawnFields } from './withdrawn-fields.ts';

/** Differences of applies, of patches, and of who owns what after them. */
export const applyDifferences: readonly KnownDifference[] = [
  {
    row: 'emptied-values',
    matches: (difference, { step, reference, ours }) =>
      isApply(step) &&
      isStatus(difference) &&
      reference.status === 422 &&
      ours.status === 200 &&
      causesOf(reference.body).every((cause) =>
        /in body must be of type (?:array|object): \\?"null\\?"/.test(textAt(cause, ['message'])),
      ),
  },
  ...conflictRows.map(
    (row): KnownDifference => ({
      row,
      matches: (difference, exchange) => isOfConflicts(difference) && conflictRow(exchange) === row,
    }),
  ),
  {
    row: 'applied-defaults',
    matches: (difference, exchange) =>
      !isStatus(difference) &&
      !isOwned(difference) &&
      (isAbout(difference, exchange, withdrawnFields(exchange)) ||
        isBesideWithdrawn(difference, exchange) ||
        isInsideRefused(difference, exchange)),
    lasts: (difference, exchange, met) =>
      isWhereMet(difference, exchange, met) || isOfEventMore(difference, exchange, met),
  },
  {
    row: 'release-applied-empties',
    matches: (difference, exchange) => {
      if (!isApply(exchange.step) || difference.reference !== undefined) return false;
      const empties = emptiesIn(documentOf(exchange.step)).filter((names) => names.length > 0);
      // An applier of empties alone is known to one server only.
      const isManager = ownedField(difference) === '' && JSON.stringify(difference.ours) === '{}';
      if (isManager || bodyPlace(difference).endsWith('metadata/managedFields')) return empties.length > 0;
      const isConflict = bodyPlace(difference).endsWith(' FieldManagerConflict');
      return (isOwned(difference) || isConflict) && isAbout(difference, exchange, empties);
    },
    lasts: (difference, exchange, met) =>
      isUnrecorded(difference, exchange) ||
      isWhereMet(difference, exchange, met) ||
      (isApply(exchange.step) && isOfGeneration(difference)),
  },
  {
    row: 'release-applied-numbers',
    matches: (difference, { step, reference }) =>
      isApply(step) &&
      isStatus(difference) &&
      reference.status === 500 &&
      /expected string, got &value\.valueUnstructured/.test(JSON.stringify(reference.body)),
  },
  {
    row: 'release-applied-scalars',
    matches: (difference, { step, reference, ours }) =>
      isApply(step) &&
      isStatus(difference) &&
      reference.status === 409 &&
      ours.status === 500 &&
      /expected any scalar, got/.test(textAt(ours.body, ['message'])),
  },
  {
    row: 'doubled-items',
    matches: (difference, exchange) =>
      isStatus(difference)
        ? isUntypedLive(exchange.reference.body, 'duplicate entries for key')
        : isOwned(difference) &&
          [documentOf(exchange.step), exchange.ours.body, liveBefore(exchange).ours].some(hasDoubles),
    lasts: (difference, exchange, met) =>
      isUnrecorded(difference, exchange) ||
      (isOwnership(difference, exchange) && isWhereMet(difference, exchange, met)),
  },
  {
    row: 'unkeyed-items',
    matches: (difference, exchange) =>
      isStatus(difference)
        ? isUntypedLive(exchange.reference.body, 'has an element that') || isPatchOfUnkeyed(exchange)
        : isOwned(difference) &&
          [documentOf(exchange.step), exchange.ours.body, liveBefore(exchange).ours].some((body) =>
            hasUnkeyedItems(body, exchange.subject.schema),
          ),
    lasts: (difference, exchange, met) =>
      isUnrecorded(difference, exchange) ||
      (isOwnership(difference, exchange) && isWhereMet(difference, exchange, met)),
  },
  {
    row: 'empty-bytes',
    matches: (difference, exchange) => {
      if (!/^(?:configmaps|secrets)$/.test(exchange.subject.info.resource)) return false;
      const bodies = [liveBefore(exchange).reference, exchange.reference.body, documentOf(exchange.step)];
      const empty = bytesFields.filter(
        (name) => bodies.some((body) => hasEmpty(valueAt(body, [name]))) || isEmptied(exchange.step, name),
      );
      return isAbout(
        difference,
        exchange,
        [...empty, ...keptKeys(exchange)].map((name) => [name]),
      );
    },
    lasts: (difference, exchange, met) => isOwnership(difference, exchange) && isWhereMet(difference, exchange, met),
  },
  {
    row: 'conflict-paths',
    matches: (difference, { step, reference, ours }) =>
      step.object === undefined &&
      bodyPlace(difference).endsWith(' FieldManagerConflict') &&
      reference.status === ours.status &&
      (conflictCount(reference.body) === conflictCount(ours.body) || namesOneTwice(reference.body)),
  },
  {
    row: 'merge-directive',
    matches: (difference, { step, reference }) =>
      isStatus(difference) &&
      reference.status === 500 &&
      step.type?.includes('strategic') === true &&
      /unknown patch type: merge|merging lists cannot yet/.test(JSON.stringify(reference.body)),
  },
  {
    row: 'empty-order',
    matches: (difference, { step, reference }) =>
      isStatus(difference) &&
      reference.status === 500 &&
      step.type?.includes('strategic') === true &&
      /^(?:no elements in any of the given slices|expected a \[\]interface \{\}, but received a %!s\(<nil>\))$/.test(
        textAt(reference.body, ['message']),
      ),
  },
  {
    row: 'random-directive',
    matches: (difference, { step, reference, ours }) => {
      if (step.type?.includes('strategic') !== true) return false;
      const places = placesOf(difference, [...causesOf(reference.body), ...causesOf(ours.body)]);
      return listsWithDeletions(step.body ?? null).some((list) => places.some((key) => isOfList(key, list)));
    },
    lasts: (difference, exchange, met) =>
      isWhereMet(difference, exchange, met) ||
      isOfLostFinalizer(difference, exchange, met) ||
      isOfEventMore(difference, exchange, met),
  },
];

/** The lists from which a strategic merge patch takes items by a directive. */
function listsWithDeletions(patch: JsonValue): string[] {
  return [...JSON.stringify(patch).matchAll(/"\$deleteFromPrimitiveList\/([^"]+)"/g)].map(([, list = '']) => list);
}

/** The keys of the place of a difference, and the texts of causes that are about the same. */
function placesOf(difference: Difference, causes: readonly JsonValue[]): readonly string[] {
  const fields = causes.map((cause) => `${textAt(cause, ['field'])} `);
  if (isStatus(difference)) {
    // What cannot be decoded is shown as a whole.
    const undecoded = causes.filter((cause) => textAt(cause, ['field']) === 'patch');
    return [...fields, ...undecoded.map((cause) => textAt(cause, ['message']).replaceAll(/[:/]/g, ' '))];
  }
  const [, place] = /^details\/causes\/(.*) \S+$/.exec(bodyPlace(difference)) ?? [];
  // A cause may be about two lists, and name one of them in its message, or about a struct that must not change.
  const messages = causes.filter((cause) => textAt(cause, ['field']) === place);
  const inner = fields.filter((field) => place !== undefined && field.startsWith(`${place}.`));
  return [...difference.path.map(String), ...messages.map((cause) => textAt(cause, ['message'])), ...inner];
}

/** Whether a key of a place names a list, its owner, or an error in it. Some errors begin names with capitals. */
function isOfList(key: string, list: string): boolean {
  if (key === list || key === `f:${list}`) return true;
  return key.includes(' ') && key.toLowerCase().split(/[ .[]/).includes(list.toLowerCase());
}

/**
 * Of several sources of a volume one is too many, and is not checked any further: each is, where the one that was
 * withdrawn is still there.
 */
function isBesideWithdrawn(difference: Difference, exchange: Exchange): boolean {
  const isOfSource =
    bodyPlace(difference).startsWith('details/causes/') &&
    (bodyPlace(difference).endsWith(' FieldValueForbidden') || difference.reference === undefined) &&
    /may not specify more than (?:1|one)/.test(textAt(exchange.reference.body, ['message']));
  const above = withdrawnFields(exchange).map((names) => names.slice(0, -1));
  return isOfSource && isAbout(difference, exchange, above);
}

/** The fields of a document that are null, or empty structs, maps or lists. */
function emptiesIn(value: JsonValue, names: FieldNames = []): readonly FieldNames[] {
  if (value === null) return [names];
  if (typeof value !== 'object') return [];
  const parts = Array.isArray(value)
    ? value.map((item): [FieldNames, JsonValue] => [names, item])
    : Object.entries(value).map(([name, part]): [FieldNames, JsonValue] => [[...names, name], part]);
  return parts.length === 0 ? [names] : parts.flatMap(([below, part]) => emptiesIn(part, below));
}

/** What is in a source that is one too many is not checked. */
function isInsideRefused(difference: Difference, exchange: Exchange): boolean {
  const [, field = ''] = /^details\/causes\/(.*) \S+$/.exec(bodyPlace(difference)) ?? [];
  return (
    difference.reference === undefined &&
    withdrawnFields(exchange).length > 0 &&
    causesOf(exchange.reference.body).some(
      (cause) =>
        /may not specify more than (?:1|one)/.test(textAt(cause, ['message'])) &&
        field.startsWith(`${textAt(cause, ['field'])}.`),
    )
  );
}

function isApply({ type }: SequenceStep): boolean {
  return type?.includes('apply') === true;
}

function isOfConflicts(difference: Difference): boolean {
  return isStatus(difference) || bodyPlace(difference).endsWith(' FieldManagerConflict');
}

function isOwned(difference: Difference): boolean {
  return ownedField(difference) !== undefined;
}

/** The reference reads no field set from an object that an earlier write has left like that. */
function isUntypedLive(body: JsonValue, why: string): boolean {
  const message = textAt(body, ['message']);
  const isLive = /failed to (?:create typed live object|convert new object \(.*\) to smd typed)/.test(message);
  return isLive && message.includes(why);
}

/** A strategic merge patch of a list that has an item without a key. */
function isPatchOfUnkeyed(exchange: Exchange): boolean {
  const { step, subject, reference } = exchange;
  return (
    step.type?.includes('strategic') === true &&
    reference.status === 500 &&
    textAt(reference.body, ['message']).includes('does not contain declared merge key') &&
    hasUnkeyedItems(liveBefore(exchange).ours, subject.schema)
  );
}

/** The field of each kind in which bytes are. */
const bytesFields: readonly string[] = ['data', 'binaryData'];

function hasEmpty(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const values = Object.values(value);
  // A patch that removes keys of a map that does not exist makes an empty one.
  return values.includes('') || values.every((each) => each === null);
}

/** Whether an edit of the live object takes keys away from a map, maybe the last one. */
function isEmptied({ edits = [] }: SequenceStep, name: string): boolean {
  return edits.some(({ path, value }) => value === undefined && path[0] === name && path.length === 2);
}

/** A ConfigMap in which empty bytes have stayed has their keys twice when they are written as texts. */
function keptKeys({ reference }: Exchange): readonly string[] {
  const causes = causesOf(reference.body).filter((cause) =>
    textAt(cause, ['message']).endsWith('duplicate of key present in binaryData'),
  );
  return causes.length > 0 ? ['data'] : [];
}

/** Whether a refused apply names a field twice for one manager, in lines that follow each other. */
function namesOneTwice(body: JsonValue): boolean {
  const lines = textAt(body, ['message']).split('\n');
  return lines.some((line, index) => line.startsWith('- ') && line === lines[index + 1]);
}

/** How many conflicts the message of a refused apply counts. */
function conflictCount(body: JsonValue): string | undefined {
  return /Apply failed with (\d+) conflict/.exec(JSON.stringify(body))?.[1];
}
