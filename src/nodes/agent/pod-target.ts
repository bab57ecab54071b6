import type { ContainerState } from '../../gen/types/core-v1.ts';

/** The state that is to be reported of a pod. */
export interface PodTarget {
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  /** All containers have this state. */
  readonly containers: ContainerTarget;
  readonly ready: boolean;
  /** The reason and the message of the pod. */
  readonly reason?: string;
  readonly message?: string;
}

/** The state of a container; the times are added where it is reported. */
export type ContainerTarget =
  | { readonly kind: 'running' }
  | { readonly kind: 'waiting'; readonly reason: string; readonly message?: string }
  | { readonly kind: 'ended'; readonly exitCode: number; readonly reason: string; readonly message?: string }
  /** The pod was ended by its node, which says nothing about containers. */
  | { readonly kind: 'gone' };

/** The state of a container that waits, ran from a time on, or ended. */
export function containerState(
  target: Exclude<ContainerTarget, { kind: 'gone' }>,
  { startedAt, time }: { readonly startedAt: string; readonly time: string },
): ContainerState {
  if (target.kind === 'running') return { running: { startedAt } };
  const { kind, ...rest } = target;
  if (kind === 'waiting') return { waiting: rest };
  return {
    terminated: { ...rest, exitCode: target.kind === 'ended' ? target.exitCode : 0, startedAt, finishedAt: time },
  };
}
