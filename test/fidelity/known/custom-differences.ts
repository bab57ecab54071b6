import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../../src/meta/json-value.ts';
import type { Difference } from '../compare.ts';
import { textAt, valueAt } from '../json-paths.ts';
import type { SequenceStep } from '../sequence.ts';
import { fieldsOfDifference, isAbout } from './fields-of-difference.ts';
import {
  bodyPlace,
  causesOf,
  type Exchange,
  type FieldNames,
  isOwnership,
  isStatus,
  type KnownDifference,
} from './known-difference.ts';
import { documentOf, liveBefore } from './live-object.ts';
import { ownedEmpties, ownedMaps, withoutMaps } from './owned-maps.ts';
import { isUnrecordedHere } from './unrecorded-owners.ts';
import { withdrawnFields, withdrawnLeaves } from './withdrawn-fields.ts';

/** Differences of objects of random kinds (`areas/schemas.ts`). */
export const customDifferences: readonly KnownDifference[] = [
  {
    row: 'managers-of-versions',
    matches: (difference, exchange) =>
      exchange.step.object !== undefined &&
      (isStatus(difference)
        ? exchange.reference.status === 500 &&
          exchange.ours.status < 500 &&
          textAt(exchange.reference.body, ['message']).endsWith(': field not declared in schema')
        : isForgottenManager(difference, exchange) || isOfOtherVersion(difference, exchange)),
  },
  {
    row: 'emptied-values',
    // A whole object that an apply empties is null as well, and lacks its type.
    matches: (difference, exchange) =>
      exchange.step.object !== undefined &&
      isStatus(difference) &&
      exchange.reference.status === 422 &&
      exchange.ours.status < 300 &&
      isOfEmptied(exchange),
  },
  {
    row: 'doubled-items',
    // In another version the list is atomic, and may have items with one key.
    matches: (difference, { step, reference, ours }) =>
      step.object !== undefined &&
      isStatus(difference) &&
      reference.status === 500 &&
      ours.status < 500 &&
      /^failed to (?:convert|prune) .*: duplicate entries for key/.test(textAt(reference.body, ['message'])),
  },
  {
    row: 'unchanged-in-version',
    // The answers to the write are the same; what it took away is missing, or has its default, in later ones.
    matches: (difference, exchange) =>
      isUncountedApply(difference, exchange) ||
      (isAfterLoneWrite(exchange) &&
        (difference.reference === undefined ||
          isEarlierValue(difference, exchange) ||
          difference.path.includes('managedFields') ||
          bodyPlace(difference) === 'metadata/generation' ||
          isOwnership(difference, exchange))),
  },
  {
    row: 'empty-map-ownership',
    // What is in the map or list has an owner, so that an apply leaves it there.
    matches: (difference, exchange) =>
      exchange.step.object !== undefined &&
      difference.ours === undefined &&
      isAbout(difference, exchange, ownedEmpties(liveBefore(exchange).reference)),
  },
  {
    row: 'release-typed-kinds',
    // Each map is owned as a key of a map is, a struct too.
    forget: (body, { step }) => (isOfUntypedKind(step) ? withoutMaps(body) : body),
    // So an apply that omits a struct takes all that is in it, and not what it has applied itself.
    matches: (difference, exchange) =>
      isOfUntypedKind(exchange.step) &&
      (isStatus(difference)
        ? exchange.reference.status < 300 && isOfLostTypes(exchange)
        : isAbout(difference, exchange, omittedMaps(exchange)) ||
          isAppliedEmpty(difference, exchange) ||
          (isOwnedThere(exchange) && isUnrecordedHere(difference, exchange))),
  },
  {
    row: 'release-applied-order',
    forget: (body, { step }) => (step.object === undefined ? body : withoutIndexes(body)),
  },
];

/** Whether all causes of a refusal are nulls, or the missing types of whole objects that an apply empties. */
function isOfEmptied(exchange: Exchange): boolean {
  const causes = causesOf(exchange.reference.body);
  const others = causes.filter((cause) => !/must be of type \w+: \\?"null\\?"/.test(textAt(cause, ['message'])));
  const parts = others.map((cause) => /\.(e\d)\.(?:apiVersion|kind)$/.exec(textAt(cause, ['field']))?.[1]);
  const withdrawn = withdrawnLeaves(exchange);
  const isEmptied = (part = ''): boolean => withdrawn.some((names) => names.includes(part));
  return (
    causes.length > 0 && parts.every((part) => part !== undefined && (others.length < causes.length || isEmptied(part)))
  );
}

/** A write that is no apply goes on without any manager where the fields of one cannot be told. */
function isForgottenManager({ path, reference }: Difference, exchange: Exchange): boolean {
  const { managedFields } = metadataOf(exchange.reference.body);
  const before = metadataOf(liveBefore(exchange).reference)['managedFields'];
  const versions = (Array.isArray(before) ? before : []).map((entry) => textAt(entry, ['apiVersion']));
  const own = textAt(exchange.reference.body, ['apiVersion']);
  return (
    path.includes('managedFields') &&
    reference === undefined &&
    managedFields === undefined &&
    versions.some((version) => version !== own)
  );
}

/** Whether the reference alone has stored an earlier write of the object, which changed nothing in its version. */
function isAfterLoneWrite({ step, earlier = [] }: Exchange): boolean {
  if (step.object === undefined) return false;
  const pairs = earlier.filter(({ reference, ours }) => reference.status < 300 && ours.status < 300);
  return pairs.some((exchange, index) => {
    const before = pairs[index - 1];
    const hasWritten = (side: 'reference' | 'ours'): boolean =>
      before !== undefined && revisionOf(exchange[side].body) !== revisionOf(before[side].body);
    return exchange.step.method !== 'GET' && hasWritten('reference') && !hasWritten('ours');
  });
}

/** Whether this server still has the value that both had earlier. */
function isEarlierValue({ path, ours }: Difference, { step, earlier = [] }: Exchange): boolean {
  const had = (body: JsonValue): boolean => path[0] === 'body' && isDeepStrictEqual(valueAt(body, path.slice(1)), ours);
  return earlier.some(
    (other) => other.step.object === step.object && had(other.reference.body) && had(other.ours.body),
  );
}

/** Whether the reference alone does not count an apply through another version than one before as a change. */
function isUncountedApply(difference: Difference, { step, ours, earlier = [] }: Exchange): boolean {
  const version = textAt(ours.body, ['apiVersion']);
  const isOther = (other: Exchange): boolean =>
    other.step.object === step.object && textAt(other.ours.body, ['apiVersion']) !== version;
  return (
    step.object !== undefined &&
    step.type?.includes('apply') === true &&
    bodyPlace(difference) === 'metadata/generation' &&
    Number(difference.ours) === Number(difference.reference) + 1 &&
    earlier.some(isOther)
  );
}

function revisionOf(object: JsonValue): JsonValue | undefined {
  return metadataOf(object)['resourceVersion'];
}

/**
 * What a version lacks or holds for one value: its managers lose what others set there, and an apply through another
 * version may keep what it omits there.
 */
function isOfOtherVersion(difference: Difference, exchange: Exchange): boolean {
  const { path, reference, ours } = difference;
  const own = textAt(exchange.ours.body, ['apiVersion']);
  const managers = metadataOf(liveBefore(exchange).reference)['managedFields'];
  const isOther = (entry: JsonValue): boolean => textAt(entry, ['apiVersion']) !== own;
  if (!Array.isArray(managers) || !managers.some(isOther)) return false;
  const manager = String(path[path.indexOf('managedFields') + 1]);
  const [, version = own] = /"apiVersion","([^"]*)"/.exec(path.includes('managedFields') ? manager : '') ?? [];
  if (reference === undefined) return version !== own;
  return ours === undefined && isAbout(difference, exchange, withdrawnFields(exchange));
}

function metadataOf(object: JsonValue): JsonObject {
  const metadata = valueAt(object, ['metadata']);
  return isJsonObject(metadata ?? null) ? (metadata as JsonObject) : {};
}

/** True for objects of random kinds whose schemas have an integer or string. */
function isOfUntypedKind({ path }: SequenceStep): boolean {
  return path.startsWith('/apis/untyped.');
}

/** Whether only maps of the live object had owners, which are owned in the reference alone. */
function isOwnedThere(exchange: Exchange): boolean {
  const live = liveBefore(exchange);
  const managers = metadataOf(live.reference)['managedFields'];
  return Array.isArray(managers) && managers.length > 0 && metadataOf(live.ours)['managedFields'] === undefined;
}

/** Whether this server alone refuses whole objects that keep what another owns in them, and lose their types. */
function isOfLostTypes(exchange: Exchange): boolean {
  const fields = causesOf(exchange.ours.body).map((cause) => textAt(cause, ['field']));
  const lost = new Set(
    omittedMaps(exchange).flatMap((names) => ['apiVersion', 'kind'].map((name) => [...names, name].join('.'))),
  );
  return fields.length > 0 && fields.every((field) => lost.has(field.replaceAll(/\[([^\]]*)\]/g, '.$1')));
}

/** Whether a difference is an empty map, or its owner, that is applied in place of a full one: the reference loses it. */
function isAppliedEmpty(difference: Difference, exchange: Exchange): boolean {
  const { step } = exchange;
  const [names, ...others] = fieldsOfDifference(difference, exchange);
  if (names === undefined || others.length > 0 || step.type?.includes('apply') !== true) return false;
  const applied = valueAt(documentOf(step), names) ?? '';
  return isJsonObject(applied) && Object.keys(applied).length === 0;
}

/** The maps that the applier owned in the reference and does not apply any more. */
function omittedMaps(exchange: Exchange): readonly FieldNames[] {
  const { step } = exchange;
  const isOwn = (entry: JsonValue): boolean =>
    textAt(entry, ['manager']) === step.query?.['fieldManager'] && textAt(entry, ['operation']) === 'Apply';
  if (step.type?.includes('apply') !== true) return [];
  const document = documentOf(step);
  return ownedMaps(liveBefore(exchange).reference, isOwn).filter((names) => valueAt(document, names) === undefined);
}

/** The causes of a refusal without the indexes of items, whose order the release decides. */
function withoutIndexes(body: JsonValue): JsonValue {
  const causes = valueAt(body, ['details', 'causes']);
  if (!isJsonObject(body) || !isJsonObject(causes)) return body;
  const counts: JsonObject = {};
  for (const [cause, count] of Object.entries(causes)) {
    const place = cause.replaceAll(/\[\d+\]/g, '[]');
    setOwn(counts, place, Number(counts[place] ?? 0) + Number(count));
  }
  return { ...body, details: { ...(body['details'] as JsonObject), causes: counts } };
}
