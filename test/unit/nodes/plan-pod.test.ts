import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { attemptsAfter, restartDelayMs } from '../../../src/nodes/agent/back-off.ts';
import { podStatus } from '../../../src/nodes/agent/pod-status.ts';
import { newPod, simulate, simulated } from './simulated-pod.ts';

describe('the course of a pod on a stand-in node', () => {
  for (const [name, annotations, spec, seconds, expected] of [
    ['runs', {}, {}, 100, ['0 Running running 0 ready']],
    ['succeeds at once if it is not restarted', {}, { restartPolicy: 'Never' }, 9, ['0 Succeeded Completed 0']],
    ['fails', { outcome: 'Failed' }, {}, 9, ['0 Failed Error 0']],
    ['is not ready', { outcome: 'NotReady' }, {}, 9, ['0 Running running 0']],
    [
      'starts slowly and is ready later',
      { 'start-seconds': '0.3', 'ready-seconds': '2' },
      {},
      9,
      ['0 Pending ContainerCreating 0', '0.3 Running running 0', '2.3 Running running 0 ready'],
    ],
    [
      'starts after its init containers',
      { 'start-seconds': '3' },
      { initContainers: [{ name: 'init', image: 'i' }] },
      9,
      ['0 Pending PodInitializing 0', '3 Running running 0 ready'],
    ],
    [
      'runs for a time before it ends',
      { outcome: 'Succeeded', 'run-seconds': '60' },
      {},
      90,
      ['0 Running running 0 ready', '60 Succeeded Completed 0'],
    ],
    [
      'is evicted after a time',
      { outcome: 'Evicted', 'run-seconds': '5' },
      {},
      9,
      ['0 Running running 0 ready', '5 Failed - 0 !Evicted'],
    ],
    [
      'crashes again and again, restarted at once and then with growing back-off',
      { outcome: 'CrashLoopBackOff', 'run-seconds': '2' },
      {},
      45,
      [
        '0 Running running 0 ready',
        '2 Running Error 0',
        '3 Running running 1 ready',
        '5 Running Error 1',
        '6 Running CrashLoopBackOff 1 !BackOff',
        '15 Running running 2 ready',
        '17 Running Error 2',
        '18 Running CrashLoopBackOff 2 !BackOff',
        '37 Running running 3 ready',
        '39 Running Error 3',
        '40 Running CrashLoopBackOff 3 !BackOff',
      ],
    ],
    [
      'is killed for its memory, and its pod fails if it is not restarted',
      { outcome: 'OOMKilled' },
      { restartPolicy: 'Never' },
      9,
      ['0 Running running 0 ready', '1 Failed OOMKilled 0'],
    ],
    [
      'crashes some times and then runs',
      { restarts: '2', 'run-seconds': '1', 'back-off-seconds': '0.2' },
      {},
      100,
      [
        '0 Running running 0 ready',
        '1 Running Error 0',
        '1.2 Running running 1 ready',
        '2.2 Running Error 1',
        '2.4 Running running 2 ready',
      ],
    ],
    [
      'has an image that cannot be pulled',
      { outcome: 'ErrImagePull', 'back-off-seconds': '4' },
      {},
      16,
      [
        '0 Pending ErrImagePull 0 !Failed !Failed',
        '1 Pending ImagePullBackOff 0 !BackOff !Failed',
        '5 Pending ErrImagePull 0 !Failed !Failed',
        '6 Pending ImagePullBackOff 0 !BackOff !Failed',
        '14 Pending ErrImagePull 0 !Failed !Failed',
        '15 Pending ImagePullBackOff 0 !BackOff !Failed',
      ],
    ],
    [
      'waits for its configuration',
      { outcome: 'CreateContainerConfigError' },
      {},
      9,
      ['0 Pending CreateContainerConfigError 0'],
    ],
    ['is left to stages', { outcome: 'Staged' }, {}, 9, []],
  ] as const) {
    it(name, () => {
      assert.deepEqual(simulate(newPod(annotations, spec), seconds * 1000), expected);
    });
  }

  it('keeps times below a second', () => {
    const annotations = { outcome: 'CrashLoopBackOff', 'run-seconds': '0.05', 'back-off-seconds': '0.1' };
    const lines = simulate(newPod(annotations), 700, 1_700_000_000_000);
    assert.deepEqual(
      lines.map((line) => line.split(' ', 1)[0]),
      ['0', '0.05', '0.15', '0.2', '0.3', '0.35', '0.45', '0.55', '0.6', '0.7'],
    );
  });

  it('leaves containers alone that others report, while the pod runs and is ready', () => {
    const [pod] = [newPod()];
    const conditions = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      type,
      status: 'True',
    }));
    const state = { waiting: { reason: 'CrashLoopBackOff' } };
    const containerStatuses = [{ name: 'c', image: '', imageID: '', ready: false, restartCount: 7, state }];
    Object.assign(pod.status ?? {}, { phase: 'Running', conditions, containerStatuses });
    assert.deepEqual(simulate(pod, 1000), []);
  });

  it('is not pending again if its image cannot be pulled later, and keeps the end of its init containers', () => {
    const ended = { terminated: { exitCode: 0, reason: 'Completed', startedAt: 'a', finishedAt: 'b' } };
    const pod = newPod({ outcome: 'ErrImagePull' }, { initContainers: [{ name: 'init', image: 'i' }] });
    const init = { name: 'init', image: 'i', imageID: '', ready: true, restartCount: 0, state: ended };
    Object.assign(pod.status ?? {}, { phase: 'Running', initContainerStatuses: [init] });
    assert.deepEqual(simulate(pod, 0), ['0 Running ErrImagePull 0 !Failed !Failed']);
    const target = { phase: 'Running', containers: { kind: 'running' }, ready: true } as const;
    const context = {
      podIp: '',
      hostIp: '',
      nowMs: 0,
      identifiers: identifiersOf('cluster'),
      isNew: false,
      release: 22,
    };
    assert.deepEqual(podStatus(pod, target, context)?.initContainerStatuses?.[0]?.state, ended);
  });

  it('tells a server once that keeps no generations, and one that does of each', () => {
    const target = { phase: 'Running', containers: { kind: 'running' }, ready: true } as const;
    const context = {
      podIp: '',
      hostIp: '10.96.0.1',
      nowMs: 0,
      identifiers: identifiersOf('cluster'),
      isNew: false,
      release: 22,
    };
    const fresh = newPod();
    const pod = { ...fresh, metadata: { ...fresh.metadata, generation: 1 } };
    const first = podStatus(pod, target, context);
    assert.equal(first?.observedGeneration, 1);
    const { observedGeneration: _, ...kept } = JSON.parse(JSON.stringify(first)) as NonNullable<typeof pod.status>;
    assert.equal(podStatus({ ...pod, status: kept }, target, context), undefined);
    const second = { ...pod, metadata: { ...pod.metadata, generation: 2 }, status: { ...kept, observedGeneration: 1 } };
    assert.equal(podStatus(second, target, context)?.observedGeneration, 2);
  });

  it('has back-offs that double up to five minutes and begin again after ten minutes of running', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 4000].map((restart) => restartDelayMs(restart, 10_000, 1) / 1000);
    assert.deepEqual(delays, [0, 10, 20, 40, 80, 160, 300, 300, 300]);
    assert.equal(restartDelayMs(9, 10_000, 600_000), 0);
    // Without delays the first restarts are at once, and then there is one in a second.
    assert.deepEqual(
      [20, 21, 2000].map((restart) => restartDelayMs(restart, 0, 0)),
      [0, 1000, 1000],
    );
    assert.equal(restartDelayMs(30, 0, 5_000), 0);
    // A year of attempts is found without walking through it.
    assert.deepEqual(attemptsAfter(365 * 86_400_000, 10_000, 1_000).failing, false);
    assert.ok(attemptsAfter(1e15, 0, 0).waitMs <= 300_000);
  });
});

describe('containers with a policy of their own', () => {
  const crashing = { outcome: 'CrashLoopBackOff', 'exit-code': '7', 'run-seconds': '1', 'back-off-seconds': '0.1' };
  const restart = (action: string) => [{ action, exitCodes: { operator: 'In', values: [7] } }];
  /** The state of a pod after some seconds, with one line for each container. */
  function after(seconds: number, spec: object): readonly string[] {
    const { status = {} } = simulated(newPod(crashing, { restartPolicy: 'Never', ...spec }), seconds * 1000);
    const { initContainerStatuses = [], containerStatuses = [], conditions = [] } = status;
    return [
      `${status.phase} ${conditions.find(({ type }) => type === 'Ready')?.message ?? 'ready'}`,
      ...[...initContainerStatuses, ...containerStatuses].map(
        ({ name, state = {}, restartCount }) => `${name} ${Object.keys(state).join()} ${restartCount}`,
      ),
      ...conditions.flatMap(({ type, status: value }) =>
        type === 'AllContainersRestarting' ? `restarting ${value}` : [],
      ),
    ];
  }
  const own = (name: string, more: object) => ({ name, image: 'i', ...more });

  it('are restarted in a pod with the policy Never, while the others stay ended', () => {
    const containers = [own('once', {}), own('again', { restartPolicy: 'Always' })];
    assert.deepEqual(after(1.3, { containers }), [
      'Running containers with unready status: [once]',
      'once terminated 0',
      'again running 1',
    ]);
  });

  it('are restarted by a rule alone, if their exit code is in it', () => {
    const containers = [own('ruled', { restartPolicy: 'Never', restartPolicyRules: restart('Restart') })];
    assert.deepEqual(after(1.3, { containers }), ['Running ready', 'ruled running 1']);
  });

  it('end their pod when none of them is restarted', () => {
    const never = [{ action: 'Restart', exitCodes: { operator: 'In', values: [8] } }];
    const containers = [own('ruled', { restartPolicy: 'Never', restartPolicyRules: never })];
    assert.match(after(1.3, { containers })[0] ?? '', /^Failed/);
  });

  it('restart all others and the init containers, if a rule says so', () => {
    const ruled = own('ruled', { restartPolicy: 'Never', restartPolicyRules: restart('RestartAllContainers') });
    const spec = { initContainers: [own('first', {})], containers: [own('other', {}), ruled] };
    assert.deepEqual(after(1.3, spec), [
      'Running ready',
      'first terminated 1',
      'other running 1',
      'ruled running 1',
      'restarting False',
    ]);
    assert.deepEqual(after(1.05, spec).at(-1), 'restarting True');
  });
});
