import type { ObjectMetadata } from '../../client/api-object.ts';

/** A selector of objects by their labels. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** A condition of a workload. Which times it has depends on the kind. */
export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastProbeTime?: string | null;
  lastUpdateTime?: string;
  lastTransitionTime?: string | null;
}

/** The metadata of an object that a server has stored. */
export interface StoredMetadata extends ObjectMetadata {
  name: string;
  uid: string;
  resourceVersion: string;
  creationTimestamp: string;
}
