import type { ContainerStatus, PodSpec } from '../../gen/types/core-v1.ts';
import type { Pod } from '../../controllers/resources.ts';
import { restartsAll, shouldRestart } from '../../kinds/core/pod.ts';

type Containers = Pick<PodSpec, 'containers' | 'restartPolicy'>;

/** True if a container that exits with a code restarts all containers. */
export function restartAllOn({ containers }: Containers, exitCode: number): boolean {
  return (containers ?? []).some((container) => restartsAll(container, exitCode));
}

/** True if any container restarts when all of them exit with a code. */
export function restartsAny(spec: Containers, exitCode: number): boolean {
  const { containers, restartPolicy } = spec;
  return restartAllOn(spec, exitCode) || (containers ?? []).some((one) => shouldRestart(one, restartPolicy, exitCode));
}

/** True while all containers wait for the restart that an ended container caused. */
export function isRestartingAll({ spec, status }: Pod): boolean {
  return (spec.containers ?? []).some((container) => {
    const { state } = status?.containerStatuses?.find(({ name }) => name === container.name) ?? {};
    return state?.terminated !== undefined && restartsAll(container, state.terminated.exitCode);
  });
}

/** True for an ended container that is not restarted although others of its pod are. */
export function staysEnded(pod: Pod, { name, state }: ContainerStatus): boolean {
  const container = pod.spec.containers?.find((each) => each.name === name);
  if (!container || !state?.terminated || isRestartingAll(pod)) return false;
  return !shouldRestart(container, pod.spec.restartPolicy, state.terminated.exitCode);
}
