import assert from 'node:assert/strict';
import { rolloutNames } from '../../../src/controllers/deployments/deployment-annotations.ts';
import { planDeployment } from '../../../src/controllers/deployments/plan-deployment.ts';
import { planRollBack } from '../../../src/controllers/deployments/roll-back.ts';
import type { Deployment, Pod, ReplicaSet } from '../../../src/controllers/resources.ts';
import type { DeploymentStatus } from '../../../src/gen/types/apps-v1.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';

const names = rolloutNames(identifiersOf('kubernetes'));
const nowMs = Date.parse('2026-01-01T00:10:00Z');
const stored = { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', namespace: 'default' };
const templateOf = (image: string) => ({
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'c', image }] },
});

const deploymentOf = (spec: Partial<Deployment['spec']> = {}, status: DeploymentStatus = {}): Deployment => ({
  metadata: { ...stored, name: 'a', generation: 1 },
  spec: {
    replicas: 10,
    selector: { matchLabels: { app: 'a' } },
    template: templateOf('new'),
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    progressDeadlineSeconds: 600,
    revisionHistoryLimit: 10,
    ...spec,
  },
  status,
});

interface SetState {
  readonly replicas: number;
  readonly available?: number;
  readonly revision?: number;
  readonly desired?: number;
  readonly max?: number;
}

/** A ReplicaSet that is named by its image; its age follows from its revision. */
const setOf = (
  image: string,
  { replicas, available = replicas, revision = 1, desired = 10, max = 13 }: SetState,
): ReplicaSet => ({
  metadata: {
    ...stored,
    name: image,
    uid: image,
    creationTimestamp: `2026-01-01T00:00:0${revision}Z`,
    annotations: {
      [names.revision]: String(revision),
      [names.desiredReplicas]: String(desired),
      [names.maxReplicas]: String(max),
    },
  },
  spec: { replicas, selector: {}, template: templateOf(image) },
  status: { replicas, readyReplicas: available, availableReplicas: available },
});

it('the Events of a rollout say the size before from release 1.25 on, in two ways', () => {
  const textsOf = (minor: number): readonly string[] => {
    const { scaling, making } = rolloutNames(identifiersOf('kubernetes'), minor);
    return [making(3), scaling(3, 1)];
  };
  assert.deepEqual([24, 25, 32].map(textsOf), [
    ['to 3', 'to 1'],
    ['to 3', 'to 1 from 3'],
    ['from 0 to 3', 'from 3 to 1'],
  ]);
});

const plan = (deployment: Deployment, replicaSets: ReplicaSet[], pods: readonly Pod[] = []) =>
  planDeployment({ deployment, replicaSets, podsOf: () => pods, names, nowMs });

const sizes = ({ updates, creation }: ReturnType<typeof plan>) =>
  Object.fromEntries(
    [...updates, ...(creation ? [creation] : [])].map(({ metadata, spec }) => [
      metadata.name.startsWith('a-') ? 'created' : metadata.name,
      spec.replicas,
    ]),
  );

describe('plans of deployments', () => {
  it('make a ReplicaSet for a new template, as large as the surge allows', () => {
    const made = plan(deploymentOf(), [setOf('old', { replicas: 10 })]);
    assert.deepEqual(sizes(made), { created: 3, old: 8 });
    assert.deepEqual(made.creation?.metadata.annotations, {
      [names.revision]: '2',
      [names.desiredReplicas]: '10',
      [names.maxReplicas]: '13',
    });
    const hash = made.creation?.metadata.labels?.['pod-template-hash'];
    assert.equal(made.creation?.metadata.name, `a-${hash}`);
    assert.deepEqual(made.creation?.spec.selector.matchLabels, { app: 'a', 'pod-template-hash': hash });
    assert.deepEqual(
      made.events.map(({ reason }) => reason),
      ['ScalingReplicaSet', 'ScalingReplicaSet'],
    );
    assert.equal(made.annotations[names.revision], '2');
  });

  const steps = [
    {
      title: 'shrink the old set as far as pods may be unavailable',
      old: { replicas: 10 },
      fresh: { replicas: 3, available: 0 },
      expected: { old: 8 },
    },
    {
      title: 'grow the new set into the room',
      old: { replicas: 8 },
      fresh: { replicas: 3, available: 0 },
      expected: { new: 5 },
    },
    { title: 'wait for pods of the new set', old: { replicas: 8 }, fresh: { replicas: 5, available: 0 }, expected: {} },
    {
      title: 'go on when some are available',
      old: { replicas: 8 },
      fresh: { replicas: 5, available: 2 },
      expected: { old: 6 },
    },
    {
      title: 'remove unavailable old pods first',
      old: { replicas: 10, available: 7 },
      fresh: { replicas: 3, available: 3 },
      expected: { old: 5 },
    },
    { title: 'end the old set at last', old: { replicas: 2 }, fresh: { replicas: 10 }, expected: { old: 0 } },
  ];
  for (const { title, old, fresh, expected } of steps) {
    it(title, () => {
      const made = plan(deploymentOf(), [setOf('old', old), setOf('new', { ...fresh, revision: 2 })]);
      assert.deepEqual(sizes(made), expected);
    });
  }

  const scalings = [
    { title: 'a larger size', replicas: 20, old: 8, fresh: 5, expected: { old: 15, new: 10 } },
    { title: 'a smaller size', replicas: 5, old: 8, fresh: 5, expected: { old: 4, new: 3 } },
    { title: 'no size', replicas: 0, old: 8, fresh: 5, expected: { old: 0, new: 0 } },
  ];
  for (const { title, replicas, old, fresh, expected } of scalings) {
    it(`share ${title} between the sets of a rollout in proportion`, () => {
      const sets = [setOf('old', { replicas: old }), setOf('new', { replicas: fresh, available: 1, revision: 2 })];
      assert.deepEqual(sizes(plan(deploymentOf({ replicas }), sets)), expected);
    });
  }

  it('scale the only active set of a paused deployment, and roll nothing out', () => {
    const paused = deploymentOf({ replicas: 4, paused: true });
    const made = plan(paused, [setOf('old', { replicas: 10 })]);
    assert.deepEqual(sizes(made), { old: 4 });
    assert.equal(made.status.conditions?.find(({ type }) => type === 'Progressing')?.reason, 'DeploymentPaused');
    assert.equal(made.requeueAfterMs, undefined);
  });

  it('recreate: end all old pods before the first new one', () => {
    const recreated = deploymentOf({ strategy: { type: 'Recreate' } });
    assert.deepEqual(sizes(plan(recreated, [setOf('old', { replicas: 10, max: 10 })])), { old: 0 });
    const running = { metadata: { ...stored, name: 'p' }, spec: { containers: [] }, status: { phase: 'Running' } };
    const ended = { ...running, status: { phase: 'Failed' } };
    assert.deepEqual(sizes(plan(recreated, [setOf('old', { replicas: 0 })], [running])), {});
    assert.deepEqual(sizes(plan(recreated, [setOf('old', { replicas: 0 })], [ended])), { created: 10 });
  });

  it('report a rollout that makes no progress in time', () => {
    const lastUpdateTime = '2026-01-01T00:00:00Z';
    const progressing = { type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated', lastUpdateTime };
    const before = {
      replicas: 13,
      updatedReplicas: 5,
      readyReplicas: 8,
      availableReplicas: 8,
      conditions: [progressing],
    };
    const sets = [setOf('old', { replicas: 8 }), setOf('new', { replicas: 5, available: 0, revision: 2 })];
    const judged = (seconds: number) => {
      const { status, requeueAfterMs } = plan(deploymentOf({ progressDeadlineSeconds: seconds }, before), sets);
      const { reason, message } = status.conditions?.find(({ type }) => type === 'Progressing') ?? {};
      return [reason, message, requeueAfterMs];
    };
    assert.deepEqual(judged(600), [
      'ProgressDeadlineExceeded',
      'ReplicaSet "new" has timed out progressing.',
      undefined,
    ]);
    assert.deepEqual(judged(660), ['ReplicaSetUpdated', undefined, 61_000]);
  });

  it('delete the oldest sets beyond the history limit after a complete rollout', () => {
    const complete = { replicas: 10, updatedReplicas: 10, availableReplicas: 10, observedGeneration: 1 };
    const sets = [1, 2, 3].map((revision) => setOf(`old${revision}`, { replicas: 0, revision }));
    const made = plan(deploymentOf({ revisionHistoryLimit: 1 }, complete), [
      ...sets,
      setOf('new', { replicas: 10, revision: 4 }),
    ]);
    assert.deepEqual(
      made.deletions.map(({ metadata }) => metadata.name),
      ['old1', 'old2'],
    );
  });

  it('roll back to the revision that an annotation asks for', () => {
    const sets = [setOf('old', { replicas: 0 }), setOf('new', { replicas: 10, revision: 2 })];
    const asking = (revision: string) => {
      const deployment = deploymentOf();
      deployment.metadata.annotations = { [names.rollback]: revision };
      const { event, deployment: changed } = planRollBack(deployment, sets, names) ?? {};
      return [
        event?.reason,
        changed?.spec.template.spec?.containers?.[0]?.image,
        changed?.metadata.annotations?.[names.rollback],
      ];
    };
    assert.deepEqual(asking('0'), ['DeploymentRollback', 'old', undefined]);
    assert.deepEqual(asking('2'), ['DeploymentRollbackTemplateUnchanged', 'new', undefined]);
    assert.deepEqual(asking('7'), ['DeploymentRollbackRevisionNotFound', 'new', undefined]);
    assert.equal(planRollBack(deploymentOf(), sets, names), undefined);
  });
});
