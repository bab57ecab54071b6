import type { AdmissionAttributes, Operation } from '../admission/admission.ts';
import type { JsonObject } from '../meta/json-value.ts';
import type { DeleteOptions, WriteOptions } from './registry.ts';
import type { ResourceRequest } from './resource-request.ts';

/** The objects of a write that admission sees; the rest follows from the request. */
interface AdmittedWrite {
  readonly name: string;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** The attributes that admission plugins and webhooks get for a write. */
export function attributesOf(
  { resource, scope, options }: ResourceRequest & { readonly options: WriteOptions | DeleteOptions },
  operation: Operation,
  write: AdmittedWrite,
): AdmissionAttributes {
  const { info, storage } = resource;
  const { version } = scope;
  return {
    operation,
    kind: { group: info.group, version, kind: info.kind },
    resource: { group: info.group, version, resource: info.resource },
    storedKind: { group: storage.group, version: storage.version, kind: storage.kind },
    storedResource: { group: storage.group, version: storage.version, resource: storage.resource },
    subresource: scope.subresource,
    namespace: scope.namespace,
    ...write,
    dryRun: options.dryRun,
    options: () => optionsObject(operation, options, scope.identifiers.apiDomain),
    inVersion: (object, wanted) => resource.versions.get(wanted)?.fromStorage(object),
    user: scope.user,
    signal: scope.cancellation.signal,
    warn: (text) => scope.warn(text),
    annotate: (name, value, level) => scope.annotate(name, value, level),
  };
}

const optionKinds: Readonly<Record<Operation, string>> = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
  CONNECT: '',
};

/**
 * The options object of an AdmissionReview: `CreateOptions`, `UpdateOptions` or `DeleteOptions`.
 * The options of a patch have the kind of the operation that the patch results in.
 */
function optionsObject(operation: Operation, options: WriteOptions | DeleteOptions, apiDomain: string): JsonObject {
  const { dryRun } = options;
  const head = {
    kind: optionKinds[operation],
    apiVersion: `meta.${apiDomain}/v1`,
    ...(dryRun ? { dryRun: ['All'] } : {}),
  };
  if ('force' in options) return { ...head, ...options.sent };
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions } = options;
  return {
    ...head,
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions ? { preconditions: { ...preconditions } } : {}),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
  };
}
