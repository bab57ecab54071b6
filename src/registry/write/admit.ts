import type { AdmissionAttributes, Operation } from '../../admission/admission.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { admittedVersions } from '../versions/admitted-versions.ts';
import type { DeleteOptions, WriteOptions } from '../definition/registry.ts';
import { fillDefaults } from '../versions/decode-request.ts';
import { fillStatusDefaults } from './status-field.ts';
import type { ResourceRequest } from '../definition/stored-resource.ts';

/** The objects of a write that admission sees; the rest follows from the request. */
interface AdmittedWrite {
  readonly name: string;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  /** The kind of the objects if it is not the resource's. */
  readonly kind?: AdmissionAttributes['kind'];
  readonly showSent?: (() => void) | undefined;
}

/** The attributes that admission plugins and webhooks get for a write. */
export function attributesOf(
  { resource, scope, options }: ResourceRequest & { readonly options: WriteOptions | DeleteOptions },
  operation: Operation,
  write: AdmittedWrite,
): AdmissionAttributes {
  const { info, storage } = resource;
  const { version } = scope;
  const kind = write.kind ?? { group: info.group, version, kind: info.kind };
  return {
    operation,
    resource: { group: info.group, version, resource: scope.urlResource ?? info.resource },
    storedKind: { group: storage.group, version: storage.version, kind: storage.kind },
    storedResource: { group: storage.group, version: storage.version, resource: scope.urlResource ?? storage.resource },
    subresource: scope.urlResource ? '' : scope.subresource,
    namespace: scope.namespace,
    ...write,
    kind,
    dryRun: options.dryRun,
    options: () => optionsObject(operation, options, scope.identifiers.apiDomain),
    versions: () => admittedVersions(resource, scope, kind),
    fillDefaults: (object) => {
      if (write.kind) return;
      if (scope.subresource === 'status') fillStatusDefaults(resource, object, scope);
      else fillDefaults({ resource, scope }, object);
    },
    reinvocation: { round: 0, isWanted: false },
    user: scope.user,
    ...(scope.trace ? { trace: scope.trace } : {}),
    steps: scope.steps,
    signal: scope.cancellation.signal,
    waited: scope.waited,
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
export function optionsObject(
  operation: Operation,
  options: WriteOptions | DeleteOptions,
  apiDomain: string,
): JsonObject {
  const { dryRun } = options;
  const head = {
    kind: optionKinds[operation],
    apiVersion: `meta.${apiDomain}/v1`,
    ...(dryRun ? { dryRun: ['All'] } : {}),
  };
  if ('force' in options) return { ...head, ...options.sent };
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions } = options;
  const unsafe = options.ignoreStoreReadErrorWithClusterBreakingPotential;
  return {
    ...head,
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions ? { preconditions: { ...preconditions } } : {}),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(unsafe === undefined ? {} : { ignoreStoreReadErrorWithClusterBreakingPotential: unsafe }),
  };
}
