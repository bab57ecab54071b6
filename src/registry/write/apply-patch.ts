import { type WriteRequest, type AnyVersion, type ServedVersion, versionOf } from '../definition/stored-resource.ts';
import { performance } from 'node:perf_hooks';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { type ApplyOutcome, beginApply } from '../../apply/apply-configuration.ts';
import { assignFieldOwner } from '../../apply/assign-field-owner.ts';
import { conflictCauses, conflictMessage } from '../../apply/conflicts.ts';
import { equalValues } from '../../scheme/model/equal-values.ts';
import { fieldSetOf, isEmptySet, noFields } from '../../apply/field-set.ts';
import type { LastApplied } from '../../apply/last-applied.ts';
import { decodeManagers, encodeManagers, type Manager, sameManager } from '../../apply/managed-fields.ts';
import type { VersionView } from '../../apply/prune.ts';
import { countValues, tooManyValues } from '../../codec/value-limit.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { getMeta, nameOf, namespaceOf, setMeta } from '../../meta/object-meta.ts';
import { wrongType } from '../../patch/patch-error.ts';
import { badRequest, StatusError } from '../../status/status-error.ts';
import { ownedScalesSince, valueAt } from './owners-behind-view.ts';
import { isSince } from '../../scheme/api-release.ts';
import type { FieldDecodeError } from '../../scheme/model/field-decode-error.ts';
import { hasSameFields, hasSamePaths, type TrackOwnership, resetFields, versionNamed } from './track-ownership.ts';
import { conversionProblem } from '../versions/conversion-problem.ts';
import { readDocument } from '../versions/decode-request.ts';
import { managersExceedValues } from './check-values.ts';
import { documentVersion, viewOf } from '../definition/subresource-view.ts';
import { withoutManagers } from '../../apply/update-managed-fields.ts';

/** An apply patch: merges the configuration and records the field managers of the stored object. */
interface ApplyPatch {
  /**
   * Merges the configuration into a live document; undefined means that there is no object yet. The
   * merge of a large document yields to other requests.
   */
  readonly merge: (live: JsonObject | undefined) => Promise<JsonObject>;
  readonly setManagers: TrackOwnership;
  /** Builds the refusal of a merged document that cannot be read as an object of the kind. */
  readonly refusal: (error: FieldDecodeError) => StatusError;
}

/**
 * The patch type `apply` (spec 4.8). Throws 400 for a document that is not a configuration of the
 * kind.
 */
export function applyPatch(request: WriteRequest, document: JsonValue): ApplyPatch {
  const apply: ApplyRequest = { ...request, version: documentVersion(request) };
  const applied = readConfiguration(apply.version, document);
  let last: Merged | undefined;
  return {
    merge: async (live) => {
      const start = performance.now();
      const finish = beginMerge(apply, applied, live);
      await yieldIfLong(start);
      last = await finish();
      return last.object;
    },
    setManagers: async (object, old) => {
      const start = performance.now();
      const list = last ? managersAfter(apply, { merge: last, object, old }) : undefined;
      setMeta(object, 'managedFields', list && list.length > 0 ? list : undefined);
      await yieldIfLong(start);
      if (last && managersExceedValues(object, last.managers) && grows(object, old)) throw tooManyValues();
    },
    refusal: ({ refusal }) => unconverted(apply.version, conversionProblem(refusal)),
  };
}

function grows(object: JsonObject, old: JsonObject | undefined): boolean {
  return old === undefined || countValues(object) > countValues(old);
}

interface ApplyRequest extends WriteRequest {
  readonly version: ServedVersion;
}

/** Checks the head of the configuration; the messages are the same as in kube-apiserver. */
function readConfiguration(version: ServedVersion, document: JsonValue): JsonObject {
  if (!isJsonObject(document) && document !== null) {
    const why = wrongType(document, 'map[string]interface {}').message;
    throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
  }
  // An empty document has no apiVersion and is refused here.
  const sent = document ? textOf(document, 'apiVersion') : '';
  if (!document || sent !== version.apiVersion) {
    const versions = `Specified patch version: ${sent}, expected: ${version.apiVersion}`;
    throw badRequest(`Incorrect version specified in apply patch. ${versions}`);
  }
  const kind = textOf(document, 'kind');
  if (kind !== version.kind) {
    throw badRequest(`failed to create typed patch object: no corresponding type for ${sent}, Kind=${kind}`);
  }
  const managers = getMeta(document, 'managedFields');
  if (managers !== undefined && managers !== null) throw badRequest('metadata.managedFields must be nil');
  return document;
}

function textOf(document: JsonObject, key: string): string {
  const value = getOwn(document, key);
  return typeof value === 'string' ? value : '';
}

type Merged = Extract<ApplyOutcome, { readonly object: JsonObject }>;

/**
 * Reads and merges the configuration. Returns the second half of the work, which computes the
 * field managers.
 */
function beginMerge(request: ApplyRequest, applied: JsonObject, live: JsonObject | undefined): () => Promise<Merged> {
  const { resource, scope, options, version } = request;
  const throughView = viewOf(request) !== undefined;
  const finish = beginApply({
    manager: options.fieldManager,
    subresource: scope.subresource,
    apiVersion: version.apiVersion,
    schema: version.schema,
    applied,
    live: live && withoutManagers(live),
    stored: live && getMeta(live, 'managedFields'),
    isComplete: throughView && !isSince(scope.emulated.release, ownedScalesSince),
    force: options.force,
    reset: throughView ? noFields : resetFields(request),
    time: resource.runtime.now(),
    lastApplied: commandLine(scope.identifiers),
    view: versionViews(request),
  });
  return async () => mergedOf(await finish(), request, applied);
}

function mergedOf(outcome: ApplyOutcome, request: ApplyRequest, applied: JsonObject): Merged {
  if ('object' in outcome) return outcome;
  if ('problems' in outcome) throw unreadable(outcome.problems, request, applied);
  throw new StatusError('Conflict', conflictMessage(outcome.conflicts), {
    details: { causes: conflictCauses(outcome.conflicts) },
  });
}

/** The first release whose errors name the object. */
const namesPatchSince = '1.24';

/** Schema violations are a 500 without a reason, as in kube-apiserver. */
function unreadable(problems: readonly string[], { scope, version }: ApplyRequest, applied: JsonObject): StatusError {
  const list = problems.length === 1 ? problems[0] : ['errors:', ...problems.map((text) => `  ${text}`)].join('\n');
  const place = `${namespaceOf(applied)}/${nameOf(applied)}; ${goKindOf(version)}`;
  const what = isSince(scope.emulated.release, namesPatchSince) ? ` (${place})` : '';
  return new StatusError('', `failed to create typed patch object${what}: ${list}`);
}

/**
 * A configuration that keeps to the schema but cannot be converted to an object: also a 500
 * without a reason.
 */
function unconverted(version: ServedVersion, why: string): StatusError {
  const problem = `unable to convert unstructured object to ${goKindOf(version)}: ${why}`;
  return new StatusError('', `failed to convert new object to proper version: ${problem}`);
}

/** A kind and its version in Go's format: `/v1, Kind=ConfigMap`. */
function goKindOf({ apiVersion, kind }: ServedVersion): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

function commandLine({ commandLine: name, labelDomain }: Identifiers): LastApplied {
  return { manager: name, annotation: `${name}.${labelDomain}/last-applied-configuration` };
}

/**
 * The versions of managers. An apply converts the object some times for each that has other paths
 * than the version of the request, and yields to other requests between the conversions.
 */
function versionViews({ resource, version }: ApplyRequest): (apiVersion: string) => VersionView | undefined {
  const start = performance.now();
  const yielding = async <T>(convert: () => Promise<T>): Promise<T> => {
    await yieldIfLong(start);
    return convert();
  };
  const own: VersionView = {
    schema: version.schema,
    fromRequest: (object) => object,
    toRequest: (object) => object,
    movesFields: false,
  };
  const viewOfOther = (other: AnyVersion): VersionView => ({
    schema: other.schema,
    fromRequest: (object) => yielding(() => converted(version, other, object)),
    toRequest: (object) => yielding(() => converted(other, version, object)),
    movesFields: !hasSameFields(resource),
  });
  return (apiVersion) => {
    if (apiVersion === version.apiVersion) return own;
    const other = versionNamed(resource, apiVersion);
    return other && (hasSamePaths(resource, version, other) ? own : viewOfOther(other));
  };
}

async function converted(from: AnyVersion, to: AnyVersion, object: JsonObject): Promise<JsonObject> {
  return to.fromStorage(await from.toStorage(readDocument(from, object)));
}

/** An object about to be stored, with the merge result that it was made from. */
interface Stored {
  readonly merge: Merged;
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
}

function managersAfter(request: ApplyRequest, stored: Stored): JsonValue[] {
  const { merge, object, old } = stored;
  if (viewOf(request)) return managersBehindView(request, stored);
  const before = old && getMeta(old, 'managedFields');
  // The timestamp of a manager changes only if the object does. A value that is spelled differently
  // but is equal is no change.
  if (merge.sameOwners && old && Array.isArray(before) && isSame(object, old)) return before;
  return encodeManagers(keepsTime(request, stored) ? withTimeOf(merge.managers, before) : merge.managers);
}

/** Reports whether an apply keeps the time of its manager, because no value changes; since 1.25. */
function keepsTime({ scope }: ApplyRequest, { object, old }: Stored): boolean {
  return old !== undefined && isSince(scope.emulated.release, '1.25') && isSame(object, old);
}

/** The managers, the last of which gets its stored time; a new manager gets none. */
function withTimeOf(managers: readonly Manager[], stored: JsonValue | undefined): readonly Manager[] {
  const own = managers.at(-1);
  if (!own) return managers;
  const before = decodeManagers(stored)?.find((manager) => sameManager(manager, own));
  return [...managers.slice(0, -1), { ...own, time: before?.time ?? '' }];
}

/**
 * A view applies one field of the parent; the managers of the view only decide who owns that
 * field.
 */
function managersBehindView(
  { resource, scope, options }: ApplyRequest,
  { merge, object, old = {} }: Stored,
): JsonValue[] {
  const view = resource.strategy.subresources?.[scope.subresource]?.view;
  const path = view?.field ?? [];
  const field = fieldSetOf([path.map((name) => `f:${name}`)]);
  const applies = merge.managers.some(
    ({ name, operation, subresource, fields }) =>
      name === options.fieldManager &&
      operation === 'Apply' &&
      subresource === scope.subresource &&
      !isEmptySet(fields),
  );
  return assignFieldOwner({
    stored: getMeta(old, 'managedFields'),
    own: {
      name: options.fieldManager,
      operation: 'Apply',
      apiVersion: versionOf(resource, scope.version).apiVersion,
      subresource: scope.subresource,
      time: resource.runtime.now(),
      fields: applies ? field : noFields,
    },
    changed: equalValues(valueAt(object, path), valueAt(old, path)) ? noFields : field,
  });
}

function isSame(object: JsonObject, old: JsonObject): boolean {
  return equalValues(withoutManagers(object), withoutManagers(old));
}
