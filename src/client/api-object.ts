import type * as authenticationv1 from '../gen/types/authentication-v1.ts';
import type * as autoscalingv1 from '../gen/types/autoscaling-v1.ts';
import type * as corev1 from '../gen/types/core-v1.ts';
import type * as policyv1 from '../gen/types/policy-v1.ts';

/** The metadata of every object. Times are RFC 3339 strings. */
export interface ObjectMetadata {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  managedFields?: unknown[];
}

/** A reference to the owner of an object. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Any object of the API. An interface that extends it types the fields of a kind. */
export interface ApiObject {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMetadata;
}

/** An object with untyped fields. */
export interface GenericObject extends ApiObject {
  [field: string]: unknown;
}

/** An object of any kind reduced to its metadata. */
export interface PartialObjectMetadata extends ApiObject {
  metadata: ObjectMetadata;
}

/** A page of a list; `metadata.continue` is set if more pages follow. */
export interface ApiList<T extends ApiObject = GenericObject> {
  apiVersion?: string;
  kind?: string;
  metadata: { resourceVersion?: string; continue?: string; remainingItemCount?: number };
  items: T[];
}

/** The server's response without an object: every error, and most deletes. */
export interface Status {
  apiVersion?: string;
  kind?: 'Status';
  metadata?: { continue?: string };
  status?: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  code?: number;
  details?: {
    name?: string;
    group?: string;
    kind?: string;
    uid?: string;
    causes?: { reason?: string; message?: string; field?: string }[];
    retryAfterSeconds?: number;
  };
}

/**
 * True for a Status, so that the result of a delete is either that or the object.
 *
 * @example
 * const result = await pods.delete('web');
 * console.log(isStatus(result) ? 'gone' : `ends by ${result.metadata?.deletionTimestamp}`);
 */
export function isStatus(answer: ApiObject | Status): answer is Status {
  return answer.kind === 'Status';
}

/** An event of a watch. The object of a BOOKMARK has only a resourceVersion. */
export interface WatchEvent<T extends ApiObject = GenericObject> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  object: T;
}

/**
 * A type whose fields are all optional, at every depth: the part of an object that a manager
 * applies. Items of lists are partial too; the server asks for the keys of those that it merges.
 */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? DeepPartial<Item>[]
  : T extends object
    ? PartialFields<T>
    : T;

/** The entries of a map are not optional: there is no entry without a value. */
type PartialFields<T> = string extends keyof T
  ? { [Field in keyof T]: DeepPartial<T[Field]> }
  : { [Field in keyof T]?: DeepPartial<T[Field]> };

/** The sub-resources whose objects are of another kind than their resource, for every kind. */
interface SubresourceObjects {
  binding: corev1.Binding;
  eviction: policyv1.Eviction;
  scale: autoscalingv1.Scale;
  token: authenticationv1.TokenRequest;
}

/**
 * The type of the objects of a sub-resource, of which `T` are the objects of the resource. Most
 * sub-resources (`status`, `approval`, `finalize`, ...) have the objects of their resource.
 */
export type SubresourceObject<T, Subresource extends string> = Subresource extends keyof SubresourceObjects
  ? SubresourceObjects[Subresource]
  : T;

/**
 * The reference with which an object says that another one controls it: for
 * `metadata.ownerReferences`. The owner is an object that the server returned.
 */
export function controllerReference({ apiVersion = '', kind = '', metadata = {} }: ApiObject): OwnerReference {
  const { name = '', uid = '' } = metadata;
  if (!apiVersion || !kind || !name || !uid) throw new TypeError('an owner has its apiVersion, kind, name and uid');
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
