import { andThen, type MaybePromise } from '../../async/maybe-promise.ts';
import type { CelValue } from '../../cel/values/cel-value.ts';
import { fromJsonWithInts } from '../../cel/values/from-json.ts';
import type { ParamKind, ParamRef } from '../../gen/stored/admissionregistration-v1.ts';
import { parseApiVersion } from '../../meta/group-version-kind.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { LabelRequirement } from '../../meta/label-requirement.ts';
import { labelSelectorRequirements } from '../../meta/object-label-selector.ts';
import { memoize } from '../../meta/memoize.ts';
import { ConfigurationError } from './configuration-error.ts';

/** The objects of a kind in a version, as parameters of policies. */
export interface ParamObjects {
  readonly namespaced: boolean;
  /** Returns an object; undefined if it does not exist. */
  get(namespace: string, name: string, signal: AbortSignal): MaybePromise<JsonObject | undefined>;
  /** Returns the objects whose labels meet all requirements. */
  list(
    namespace: string,
    requirements: readonly LabelRequirement[],
    signal: AbortSignal,
  ): MaybePromise<readonly JsonObject[]>;
}

/** Returns the objects of a kind; undefined if the server does not have the kind. */
export type FindParams = (group: string, version: string, kind: string) => ParamObjects | undefined;

/** The parameter reference of a binding, for a request. */
interface NamedParams {
  readonly ref: ParamRef | undefined;
  /** The namespace of the request. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** The parameters without a paramKind or paramRef: a single null. */
const noParams: readonly (JsonObject | null)[] = [null];

/**
 * Returns the objects of the kind of a policy's parameters; undefined if the policy has none.
 * Throws `ConfigurationError` if the kind does not exist.
 */
export function findParamObjects(find: FindParams, kind: ParamKind | undefined): ParamObjects | undefined {
  if (!kind) return undefined;
  const { apiVersion = '', kind: name = '' } = kind;
  const parsed = parseApiVersion(apiVersion);
  const objects = parsed && find(parsed.group, parsed.version, name);
  if (objects) return objects;
  const shown = `${parsed?.group ?? ''}/${parsed?.version ?? ''}, Kind=${name}`;
  throw new ConfigurationError(`failed to find resource referenced by paramKind: '${shown}'`);
}

/**
 * The parameters with which a policy runs for a binding. The list is empty only if the binding
 * allows missing parameters. Throws `ConfigurationError`, or rejects with it.
 */
export function collectParams(
  objects: ParamObjects | undefined,
  { ref, namespace, signal }: NamedParams,
): MaybePromise<readonly (JsonObject | null)[]> {
  if (!objects || !ref) return noParams;
  const { name = '', selector } = ref;
  const place = namespaceOf(objects, ref, namespace);
  const found =
    name === ''
      ? objects.list(place, requirementsOf(selector ?? noSelector), signal)
      : andThen(objects.get(place, name, signal), (object) => (object ? [object] : []));
  return andThen(found, (params) => {
    if (params.length > 0 || ref.parameterNotFoundAction === 'Allow') return params;
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  });
}

function namespaceOf({ namespaced }: ParamObjects, { namespace = '' }: ParamRef, ofRequest: string): string {
  if (!namespaced) {
    if (namespace === '') return '';
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  if (namespace !== '' || ofRequest !== '') return namespace || ofRequest;
  throw new ConfigurationError(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  );
}

const noSelector: NonNullable<ParamRef['selector']> = Object.freeze({});

const requirementsOf = memoize((selector: NonNullable<ParamRef['selector']>) => labelSelectorRequirements(selector));

const valueOf = memoize((param: JsonObject) => fromJsonWithInts(param) as CelValue & object);

/** The value of a parameter in expressions. */
export function paramValue(param: JsonObject | null): CelValue {
  return param && valueOf(param);
}
