import { until } from '../http/until.ts';
import type { Plane } from './planes.ts';

interface Pod {
  readonly metadata: { readonly name: string; readonly ownerReferences?: readonly { readonly kind: string }[] };
  readonly spec: { readonly containers: readonly { readonly image: string }[] };
  readonly status?: { readonly phase?: string; readonly conditions?: readonly { readonly type: string }[] };
}

const pods = '/api/v1/namespaces/takeover/pods';
const deployment = '/apis/apps/v1/namespaces/takeover/deployments/web';
const set = '/apis/apps/v1/namespaces/takeover/statefulsets/db';
const job = '/apis/batch/v1/namespaces/takeover/jobs/sum';
const merge = 'application/merge-patch+json';

/** Says of some pods that they run, as their nodes would; those of a Job have succeeded. */
async function runPods({ send }: Plane, most: number): Promise<void> {
  const { items } = (await send('GET', pods)) as { readonly items: readonly Pod[] };
  const waiting = items.filter(({ status }) => (status?.phase ?? 'Pending') === 'Pending').slice(0, most);
  for (const { metadata } of waiting) {
    const isJob = metadata.ownerReferences?.some(({ kind }) => kind === 'Job');
    const now = new Date().toISOString();
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: now }];
    const status = isJob ? { phase: 'Succeeded' } : { phase: 'Running', conditions };
    // A pod may be gone since.
    await send('PATCH', `${pods}/${metadata.name}/status`, { status }, merge).catch(() => undefined);
  }
}

interface Workload {
  readonly metadata: { readonly generation: number };
  readonly spec: { readonly replicas: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly replicas?: number;
    readonly succeeded?: number;
  };
}

async function isEnded({ send }: Plane): Promise<boolean> {
  for (const at of [deployment, set]) {
    const { metadata, spec, status } = (await send('GET', at)) as Workload;
    const isDone =
      status?.observedGeneration === metadata.generation &&
      status.updatedReplicas === spec.replicas &&
      status.readyReplicas === spec.replicas &&
      status.replicas === spec.replicas;
    if (!isDone) return false;
  }
  return ((await send('GET', job)) as Workload).status?.succeeded === 4;
}

/** Replaces the image, and stops in the middle: some of the new pods run. */
export async function beginRollout(plane: Plane, image: string): Promise<void> {
  if (image === 'two') {
    for (let round = 0; round < 4; round++) {
      await until(
        'pods',
        async () => ((await plane.send('GET', pods)) as { readonly items: readonly Pod[] }).items.length >= 8,
      );
      await runPods(plane, 4);
    }
  }
  const body = { spec: { template: { spec: { containers: [{ name: 'a', image }] } } } };
  for (const at of [deployment, set]) await plane.send('PATCH', at, body, 'application/strategic-merge-patch+json');
  await until(`pods of ${image}`, async () => {
    await runPods(plane, 1);
    const { items } = (await plane.send('GET', pods)) as { readonly items: readonly Pod[] };
    return (
      items.filter(({ spec, status }) => spec.containers[0]?.image === image && status?.phase === 'Running').length >= 2
    );
  });
}

/** Runs the pods until all rollouts have ended with the image. */
export async function endRollouts(plane: Plane, image: string): Promise<void> {
  await until(`the end of the rollout of ${image}`, async () => {
    await runPods(plane, 100);
    return await isEnded(plane);
  });
  process.stdout.write(`  the rollout of ${image} has ended\n`);
}
