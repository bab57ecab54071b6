import type { ApiObject } from '../../client/api-object.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';

/** The names of the annotations and the label of a rollout. */
export interface RolloutNames {
  readonly revision: string;
  /** Earlier revisions of a ReplicaSet that was rolled back to. */
  readonly revisionHistory: string;
  readonly desiredReplicas: string;
  readonly maxReplicas: string;
  /** The revision to which a Deployment is to be rolled back, 0 for the previous one. */
  readonly rollback: string;
  /** The label that distinguishes the pods of a ReplicaSet from the pods of the others. */
  readonly hashLabel: string;
  /** Annotations that ReplicaSets do not get from their Deployment. */
  readonly notCopied: ReadonlySet<string>;
  /** Returns the end of the Event message about a resized ReplicaSet. */
  readonly scaling: (from: number, to: number) => string;
  /** Returns the end of the Event message about a new ReplicaSet. */
  readonly making: (to: number) => string;
}

/** The annotation names of a rollout in an identifier set, and the Event messages of a release. */
export function rolloutNames({ labelDomain, commandLine }: Identifiers, minor = 0): RolloutNames {
  const names = {
    revision: `deployment.${labelDomain}/revision`,
    revisionHistory: `deployment.${labelDomain}/revision-history`,
    desiredReplicas: `deployment.${labelDomain}/desired-replicas`,
    maxReplicas: `deployment.${labelDomain}/max-replicas`,
    rollback: 'deprecated.deployment.rollback.to',
  };
  const lastApplied = `${commandLine}.${labelDomain}/last-applied-configuration`;
  const notCopied = new Set([...Object.values(names), lastApplied]);
  return {
    ...names,
    hashLabel: 'pod-template-hash',
    notCopied,
    scaling: (from, to) => scalingText(from, to, minor),
    making: (to) => (minor >= 32 ? `from 0 to ${to}` : `to ${to}`),
  };
}

function scalingText(from: number, to: number, minor: number): string {
  if (minor >= 32) return `from ${from} to ${to}`;
  return minor >= 25 ? `to ${to} from ${from}` : `to ${to}`;
}

/** The revision of a ReplicaSet, of 64 bits; 0 if it has none. */
export function revisionOf({ metadata }: ApiObject, names: RolloutNames): bigint {
  const text = metadata?.annotations?.[names.revision] ?? '';
  return /^[0-9]{1,19}$/.test(text) ? BigInt(text) : 0n;
}

/** Compares revisions, for `Array.sort`. */
export function compareRevisions(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}

/** The longest list of earlier revisions, in characters. */
const historyLimit = 2000;

/**
 * The annotations of the ReplicaSet with the present template: the annotations of the Deployment,
 * and the revision, which a roll back increments.
 */
export function withRevision(
  present: Readonly<Record<string, string>>,
  ofDeployment: Readonly<Record<string, string>>,
  revision: bigint,
  names: RolloutNames,
): Record<string, string> {
  const copied = Object.entries(ofDeployment).filter(([name]) => !names.notCopied.has(name));
  const annotations = { ...present, ...Object.fromEntries(copied) };
  const old = present[names.revision];
  if (revisionOf({ metadata: { annotations: present } }, names) >= revision) return annotations;
  annotations[names.revision] = String(revision);
  if (old !== undefined) {
    annotations[names.revisionHistory] = historyWith(present[names.revisionHistory], old);
  }
  return annotations;
}

function historyWith(history: string | undefined, revision: string): string {
  const revisions = [...(history?.split(',') ?? []), revision];
  while (revisions.length > 1 && revisions.join(',').length > historyLimit) revisions.shift();
  return revisions.join(',');
}
