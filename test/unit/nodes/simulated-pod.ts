import type { Pod } from '../../../src/controllers/resources.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { ExactTimes } from '../../../src/nodes/agent/exact-times.ts';
import { planPod } from '../../../src/nodes/agent/plan-pod.ts';
import { behaviourOf } from '../../../src/nodes/agent/pod-behaviour.ts';
import { podStatus } from '../../../src/nodes/agent/pod-status.ts';

const identifiers = identifiersOf('cluster');

/** A pod with annotations of stand-in nodes, as the agent sees it first. */
export function newPod(annotations: Readonly<Record<string, string>> = {}, spec: object = {}): Pod {
  const prefixed = Object.entries(annotations).map(([name, value]) => [`stand-in.cluster.io/${name}`, value]);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'u',
      resourceVersion: '1',
      annotations: Object.fromEntries(prefixed),
    },
    spec: { containers: [{ name: 'c', image: 'i:1' }], ...spec },
    status: {},
  } as unknown as Pod;
}

/** One state of a pod in a simulation: when it was reported, its phase, and that of its container. */
function lineOf(atMs: number, { status }: Pod): string {
  const [container] = status?.containerStatuses ?? [];
  const { waiting, terminated } = container?.state ?? {};
  const state = waiting?.reason ?? terminated?.reason ?? (container ? 'running' : '-');
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True' ? ' ready' : '';
  return `${atMs / 1000} ${status?.phase} ${state} ${container?.restartCount ?? 0}${ready}`;
}

/** The states that the agent reports of a pod until a time, with the reasons of Events. */
export function simulate(first: Pod, untilMs: number, startMs?: number): readonly string[] {
  return run(first, untilMs, startMs).lines;
}

/** A pod after a time. */
export function simulated(first: Pod, untilMs: number): Pod {
  return run(first, untilMs).pod;
}

function run(first: Pod, untilMs: number, startMs = 1_700_000_000_400) {
  const lines: string[] = [];
  const times = new ExactTimes();
  let pod = first;
  for (let nowMs = startMs; nowMs - startMs <= untilMs; ) {
    const plan = planPod(pod, behaviourOf(pod, undefined, identifiers), {
      nowMs,
      exactMs: (time, write) => times.exactMs('u', time, write),
    });
    const { target, isNew = false, waitMs } = plan;
    const addresses = { podIp: '10.64.0.1', hostIp: '10.96.0.1' };
    const status = target && podStatus(pod, target, { ...addresses, nowMs, identifiers, isNew, release: 22 });
    if (status) {
      if (waitMs !== undefined) times.wrote('u', nowMs, target.containers.kind === 'waiting');
      pod = { ...pod, status: JSON.parse(JSON.stringify({ ...pod.status, ...status })) };
      lines.push([lineOf(nowMs - startMs, pod), ...(plan.events ?? []).map(({ reason }) => `!${reason}`)].join(' '));
    } else if (waitMs === undefined) break;
    nowMs += Math.ceil(waitMs ?? 0);
  }
  return { lines, pod };
}
