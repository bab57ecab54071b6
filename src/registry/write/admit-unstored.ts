import type { AdmissionAttributes, AdmittedVersion, Operation } from '../../admission/admission.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { applyDefaults } from '../../scheme/apply-defaults.ts';
import { decodeObject } from '../../scheme/decode-object.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import { optionsObject } from './admit.ts';
import type { RequestScope, WriteOptions } from '../definition/registry.ts';
import { memoize } from '../../meta/memoize.ts';

/** A request whose object is not stored: a review, or the options of a connection. */
interface UnstoredRequest {
  readonly scope: RequestScope;
  readonly operation: Operation & ('CREATE' | 'CONNECT');
  readonly resource: AdmissionAttributes['resource'];
  readonly kind: AdmissionAttributes['kind'];
  readonly schema: ObjectSchema;
  /** The object, which mutating plugins change in place. */
  readonly object: JsonObject;
  /** The name in the URL. */
  readonly name: string;
  /** The options of the write; absent for a connection. */
  readonly options?: WriteOptions;
}

/** The attributes that admission plugins and webhooks get for a request without stored object. */
export function unstoredAttributes(request: UnstoredRequest): AdmissionAttributes {
  const { scope, operation, resource, kind, object, name, options } = request;
  return {
    operation,
    kind,
    resource,
    storedKind: kind,
    storedResource: resource,
    subresource: scope.subresource,
    namespace: scope.namespace,
    name,
    object,
    oldObject: undefined,
    dryRun: options?.dryRun ?? false,
    options: () => (options ? optionsObject(operation, options, scope.identifiers.apiDomain) : {}),
    versions: () => versionsOf(request),
    fillDefaults: () => {},
    reinvocation: { round: 0, isWanted: false },
    user: scope.user,
    signal: scope.cancellation.signal,
    waited: scope.waited,
    warn: (text) => scope.warn(text),
    annotate: (key, value, level) => scope.annotate(key, value, level),
  };
}

/** The only version of each kind, by its schema and the resource. */
const byResource = memoize((_schema: ObjectSchema) => new Map<string, readonly AdmittedVersion[]>());

function versionsOf({ schema, resource, kind, scope }: UnstoredRequest): readonly AdmittedVersion[] {
  const known = byResource(schema);
  const key = `${resource.group}/${resource.version}/${resource.resource}/${scope.subresource}`;
  let versions = known.get(key);
  if (!versions) known.set(key, (versions = [versionOf(schema, resource, kind)]));
  return versions;
}

function versionOf(
  schema: ObjectSchema,
  resource: AdmissionAttributes['resource'],
  kind: AdmissionAttributes['kind'],
): AdmittedVersion {
  return {
    resource,
    kind,
    schema: () => schema,
    show: (object) => object,
    read: (document) => {
      const { value } = decodeObject(schema, document);
      applyDefaults(schema, value);
      return value;
    },
  };
}
