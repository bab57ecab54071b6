/** Metadata that every object has. Times are RFC 3339 text. */
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

/** The object that another one belongs to. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Any object of the API. Give the client an interface that extends this one to type a kind's own fields. */
export interface ApiObject {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMetadata;
}

/** An object whose own fields are not typed. */
export interface GenericObject extends ApiObject {
  [field: string]: unknown;
}

/** A page of a list; `metadata.continue` is set where there is more. */
export interface ApiList<T extends ApiObject = GenericObject> {
  apiVersion?: string;
  kind?: string;
  metadata: { resourceVersion?: string; continue?: string; remainingItemCount?: number };
  items: T[];
}

/** The server's answer where there is no object: every error, and most deletions. */
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

/** A change that a watch reports. A bookmark's object has a resourceVersion and nothing else. */
export interface WatchEvent<T extends ApiObject = GenericObject> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  object: T;
}
