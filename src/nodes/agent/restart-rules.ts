import type { ContainerStatus, PodSpec } from '../../gen/types/core-v1.ts';
import type { Pod } from '../../controllers/resources.ts';
import { restartsAll, shouldRestart } from '../../kinds/core/pod.ts';

type Containers = Pick<PodSpec, 'containers' | 'restartPolicy'>;

/** True if a container whose runs end with an exit code makes all containers start again. */
export function restartAllOn({ containers }: Containers, exitCode: number): boolean {
  return (containers ?? []).some((container) => restartsAll(container, exitCode));
}

/** True if a container starts again when all of them end with an exit code. */
export function restartsAny(spec: Containers, exitCode: number): boolean {
  const { containers, restartPolicy } = spec;
  return restartAllOn(spec, exitCode) || (containers ?? []).some((one) => shouldRestart(one, restartPolicy, exitCode));
}

/** True while a container has ended that makes all of them start again. */
export function isRestartingAll({ spec, status }: Pod): boolean {
  return (spec.containers ?? []).some((container) => {
    const { state } = status?.containerStatuses?.find(({ name }) => name === container.name) ?? {};
    return state?.terminated !== undefined && restartsAll(container, state.terminated.exitCode);
  });
}

/** True for a container that has ended and is not started again, while others of its pod are. */
export function staysEnded(pod: Pod, { name, state }: ContainerStatus): boolean {
  const container = pod.spec.containers?.find((each) => each.name === name);
  if (!container || !state?.terminated || isRestartingAll(pod)) return false;
  return !shouldRestart(container, pod.spec.restartPolicy, state.terminated.exitCode);
}
