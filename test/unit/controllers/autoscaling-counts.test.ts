import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  countForAverage,
  countForShare,
  countForTotal,
  countForUtilization,
  type TargetPods,
} from '../../../src/controllers/horizontalpodautoscaling/count-replicas.ts';
import type { PodSample } from '../../../src/controllers/horizontalpodautoscaling/group-pods.ts';
import type { Pod } from '../../../src/controllers/resources.ts';

const nowMs = Date.parse('2026-01-01T01:00:00Z');
const minute = 60_000;
const at = (ms: number): string => new Date(ms).toISOString();

interface PodState {
  readonly request?: string;
  readonly phase?: string;
  readonly ready?: boolean;
  readonly startedMs?: number;
  readonly changedMs?: number;
  readonly isDeleted?: boolean;
}

const podOf = (index: number, state: PodState = {}): Pod => {
  const { request = '1', phase = 'Running', ready = true, startedMs = nowMs - 60 * minute } = state;
  const { changedMs = startedMs + minute, isDeleted = false } = state;
  const lastTransitionTime = at(changedMs);
  return {
    metadata: {
      name: `p${index}`,
      uid: `p${index}`,
      resourceVersion: '1',
      creationTimestamp: at(startedMs),
      ...(isDeleted ? { deletionTimestamp: at(nowMs) } : {}),
    },
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: request } } }] },
    status: {
      phase,
      startTime: at(startedMs),
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime }],
    },
  };
};
const periods = { cpuInitializationMs: 5 * minute, initialReadinessMs: 30_000, nowMs };
const tolerances = { below: 0.1, above: 0.1 };
const targetOf = (states: readonly PodState[], current = states.length): TargetPods => ({
  current,
  pods: states.map((state, index) => podOf(index, state)),
  periods,
  tolerances,
});
/** Samples of pods in order; undefined is a pod without one. */
const samplesOf = (values: readonly (number | undefined)[], timeMs = nowMs) =>
  new Map(
    values.flatMap((value, index): [string, PodSample][] =>
      value === undefined ? [] : [[`p${index}`, { value, timeMs, windowMs: minute }]],
    ),
  );
const pending = { phase: 'Pending' };
const starting = { startedMs: nowMs - minute, ready: false };
const unready = { ready: false, changedMs: nowMs - minute };

interface Story {
  readonly name: string;
  readonly pods: readonly PodState[];
  readonly current?: number;
  readonly values: readonly (number | undefined)[];
  readonly percent: number;
  readonly replicas: number;
}

/** The rules of kube-controller-manager for pods in each state. */
const stories: readonly Story[] = [
  { name: 'scales up', pods: [{}, {}, {}], values: [300, 500, 700], percent: 30, replicas: 5 },
  { name: 'scales down', pods: [{}, {}, {}, {}, {}], values: [100, 300, 500, 250, 250], percent: 50, replicas: 3 },
  { name: 'tolerates a small excess', pods: [{}, {}, {}], values: [500, 550, 590], percent: 50, replicas: 3 },
  {
    name: 'counts pending pods as idle when it scales up',
    pods: [{}, {}, pending],
    values: [500, 700],
    percent: 30,
    replicas: 4,
  },
  { name: 'counts starting pods as idle', pods: [{}, {}, starting], values: [500, 700, 900], percent: 30, replicas: 4 },
  {
    name: 'counts pods that stopped to be ready',
    pods: [{}, {}, unready],
    values: [300, 500, 700],
    percent: 30,
    replicas: 5,
  },
  {
    name: 'ignores starting pods when it scales down',
    pods: [{}, {}, starting],
    values: [100, 100, 900],
    percent: 50,
    replicas: 1,
  },
  {
    name: 'ignores failed and deleted pods',
    pods: [{}, { phase: 'Failed' }, { isDeleted: true }],
    values: [600, 0, 0],
    percent: 30,
    replicas: 2,
  },
  {
    name: 'counts pods without metrics as full before it scales down',
    pods: [{}, {}, {}],
    values: [100, 450, undefined],
    percent: 100,
    replicas: 2,
  },
  {
    name: 'counts pods without metrics as idle before it scales up',
    pods: [{}, {}, {}],
    values: [1000, undefined, undefined],
    percent: 50,
    replicas: 3,
  },
  {
    name: 'does nothing if that turns the direction',
    pods: [{}, {}],
    values: [1000, undefined],
    percent: 80,
    replicas: 2,
  },
];

describe('the number of pods for the use of a resource', () => {
  for (const { name, pods, current, values, percent, replicas } of stories) {
    it(name, () => {
      const target = targetOf(pods, current);
      const found = countForUtilization(target, samplesOf(values), { resource: 'cpu', percent });
      assert.equal(found.replicas, replicas);
    });
  }

  it('shows the use and its share of the requests', () => {
    const found = countForUtilization(targetOf([{}, {}]), samplesOf([300, 500]), { resource: 'cpu', percent: 40 });
    assert.deepEqual(found, { replicas: 2, value: 400, utilization: 40 });
  });

  it('ignores CPU samples from before a young pod was ready for a whole window', () => {
    const fresh = { startedMs: nowMs - 3 * minute, changedMs: nowMs - 30_000 };
    const count = (timeMs: number) =>
      countForUtilization(targetOf([{}, fresh]), samplesOf([900, 900], timeMs), {
        resource: 'cpu',
        percent: 50,
      });
    assert.equal(count(nowMs).replicas, 2);
    assert.equal(count(nowMs + minute).replicas, 4);
  });

  const refusals = [
    ['without pods', [], [1], /no pods returned by selector/],
    ['without samples', [{}], [], /did not receive metrics for any ready pods/],
    ['with pending pods only', [pending], [1], /did not receive metrics for any ready pods/],
    ['without requests', [{ request: '0' }], [1], /no metrics returned matched known pods/],
  ] as const;
  for (const [name, pods, values, message] of refusals) {
    it(`is not known ${name}`, () => {
      const count = () => countForUtilization(targetOf(pods), samplesOf(values), { resource: 'cpu', percent: 50 });
      assert.throws(count, message);
    });
  }

  it('names the container whose request is missing', () => {
    const count = (container?: string) =>
      countForUtilization(targetOf([{}]), samplesOf([1]), { resource: 'memory', container, percent: 50 });
    assert.throws(() => count(), { message: 'missing request for memory in container c of Pod p0' });
    assert.throws(() => count('d'), { message: 'container d not found in Pod p0' });
  });
});

describe('the number of pods for other metrics', () => {
  it('holds an average', () => {
    assert.deepEqual(countForAverage(targetOf([{}, {}]), samplesOf([20_000, 30_000]), 10_000), {
      replicas: 5,
      value: 25_000,
    });
    // Readiness does not count for them.
    assert.equal(countForAverage(targetOf([{}, starting]), samplesOf([20_000, 30_000]), 10_000).replicas, 5);
  });

  it('holds a value by the pods that are ready', () => {
    assert.equal(countForTotal(targetOf([{}, {}, unready]), 30_000, 10_000).replicas, 6);
    assert.equal(countForTotal(targetOf([{}, {}]), 10_900, 10_000).replicas, 2);
    assert.equal(countForTotal(targetOf([], 0), 25_000, 10_000).replicas, 3);
    assert.throws(() => countForTotal(targetOf([], 1), 30_000, 10_000), /unable to calculate ready pods/);
  });

  it('shares a value among the pods', () => {
    assert.deepEqual(countForShare(40_000, 10_000, { present: 2, tolerances }), { replicas: 4, value: 20_000 });
    assert.deepEqual(countForShare(21_000, 10_000, { present: 2, tolerances }), { replicas: 2, value: 10_500 });
    assert.deepEqual(countForShare(21_000, 10_000, { present: 0, tolerances }), { replicas: 3, value: 21_000 });
  });
});

describe('any recommendation', () => {
  // Failed pods count among those of the scale, and in no average.
  const state = fc.constantFrom<PodState>({}, pending, unready);
  const pods = fc.array(fc.tuple(state, fc.option(fc.integer({ min: 0, max: 5000 }), { nil: undefined })), {
    minLength: 1,
    maxLength: 12,
  });

  it('never falls when one pod uses more', () => {
    fc.assert(
      fc.property(
        pods,
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 1, max: 2000 }),
        fc.nat(11),
        (all, wanted, more, index) => {
          const target = targetOf(all.map(([each]) => each));
          const values = all.map(([, value]) => value);
          const count = (given: readonly (number | undefined)[]): number | undefined => {
            try {
              return countForAverage(target, samplesOf(given), wanted).replicas;
            } catch {
              return undefined;
            }
          };
          const before = count(values);
          const chosen = index % all.length;
          const after = count(
            values.map((value, position) => (position === chosen && value !== undefined ? value + more : value)),
          );
          if (before === undefined || after === undefined) return before === after;
          return after >= before;
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps the number while every pod is at the target', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 5000 }), (count, wanted) => {
        const states = Array.from({ length: count }, () => ({}));
        const values = states.map(() => wanted);
        assert.equal(countForAverage(targetOf(states), samplesOf(values), wanted).replicas, count);
      }),
    );
  });
});
