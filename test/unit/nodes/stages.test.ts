import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { readNodeGroups } from '../../../src/nodes/agent/node-groups.ts';
import { chooseStage } from '../../../src/nodes/stages/choose-stage.ts';
import { compileStage } from '../../../src/nodes/stages/compile-stage.ts';
import { FollowedStage } from '../../../src/nodes/stages/followed-stage.ts';
import type { StageVariables } from '../../../src/nodes/stages/stage-expression.ts';
import { StageRuns } from '../../../src/nodes/stages/stage-runs.ts';

type StagedObject = Parameters<StageRuns['next']>[0];

const outcomes = { pods: new Set(['Running', 'Failed']), nodes: new Set(['Ready']) };

/** The reading of a stage named `s` that matches all pods and deletes them, unless a part says otherwise. */
function read(spec: object) {
  const whole = { resource: 'pods', selector: {}, next: { delete: true }, ...spec };
  return compileStage({ metadata: { name: 's' }, spec: whole }, outcomes);
}

function follow(spec: object, name = 's', warnings: string[] = []): FollowedStage {
  const whole = { resource: 'pods', selector: {}, next: { delete: true }, ...spec };
  const reading = compileStage({ metadata: { name }, spec: whole }, outcomes);
  if (!('stage' in reading)) throw new Error(reading.problems.join());
  return new FollowedStage(reading.stage, (reason, message) => warnings.push(`${reason}: ${message}`));
}

function variablesOf(object: JsonObject): StageVariables {
  return { object, node: {}, now: '2030-01-02T03:04:05Z', stage: 'before', podIP: '10.64.0.1', hostIP: '10.96.0.1' };
}

const nothing = (): StageVariables => variablesOf({});

describe('a stage', () => {
  for (const [what, spec, problem] of [
    [
      'an unknown member',
      { selector: { matchLabel: {} } },
      /^spec\.selector\.matchLabel: it is not known: use matchLabels, /,
    ],
    ['no resource', { resource: undefined }, /^spec\.resource: it is missing$/],
    ['another resource', { resource: 'jobs' }, /^spec\.resource: "jobs" is not valid: use pods, nodes$/],
    ['no next state', { next: {} }, /^spec\.next: \{\} is not valid: use at least 1 members$/],
    [
      'a negative delay',
      { delay: { duration: '-5s' } },
      /^spec\.delay\.duration: "-5s" is not valid: use a duration like/,
    ],
    ['a negative weight', { weight: -1 }, /^spec\.weight: -1 is not valid: use at least 0$/],
    ['a text for a number', { weight: '2' }, /^spec\.weight: "2" is not valid: use a whole number$/],
    [
      'an expression that does not compile',
      { selector: { expression: 'object.' } },
      /^spec\.selector\.expression: compilation failed/,
    ],
    ['an unknown variable', { selector: { expression: 'pod.x == 1' } }, /undeclared reference to 'pod'/],
    ['a condition of another type', { selector: { expression: '"yes"' } }, /has the type string: must be bool$/],
    [
      'a template that does not compile',
      { next: { status: { a: [{ b: 'x${1 +}' }] } } },
      /^spec\.next\.status\.a\[0\]\.b: compilation failed/,
    ],
    [
      'a template without its end',
      { next: { event: { reason: 'R', message: '${"}"' } } },
      /^spec\.next\.event\.message: \$\{ has no closing/,
    ],
    [
      'an unknown outcome',
      { next: { outcome: 'Ready' } },
      /^spec\.next\.outcome: "Ready" is not valid: use Running, Failed$/,
    ],
    [
      'an outcome and a status',
      { next: { outcome: 'Failed', status: {} } },
      /^spec\.next: use status or outcome, not both$/,
    ],
    [
      'a label that cannot be',
      { selector: { matchLabels: { 'a b': 'c' } } },
      /^spec\.selector: invalid label key "a b"/,
    ],
    [
      'an operator that is unknown',
      { selector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
      /\[0\]\.operator: "Is" is not/,
    ],
  ] as const) {
    it(`is refused with the place of its problem: ${what}`, () => {
      const reading = read(spec);
      assert.ok('problems' in reading);
      assert.equal(reading.problems.length, 1, reading.problems.join());
      assert.match(reading.problems[0] ?? '', problem);
    });
  }

  it('is refused with all problems together, and in groups of nodes with the path of its group', () => {
    const stage = { metadata: { name: 'a' }, spec: { resource: 'pods', selector: {}, next: { outcome: 'Lost' } } };
    const group = { count: 1, stages: [stage] };
    assert.throws(
      () => readNodeGroups([group]),
      /^TypeError: nodes\[0\]\.stages\[0\]\.spec\.next\.outcome: "Lost" is not valid: use Run/,
    );
    const good = { ...stage, spec: { ...stage.spec, next: { outcome: 'Failed' } } };
    assert.throws(
      () => readNodeGroups({ count: 1, stages: [good, good] }),
      /nodes\.stages\[1\]\.metadata\.name: "a" is not valid/,
    );
    assert.throws(
      () => readNodeGroups({ count: 1, stages: [{ spec: {}, extra: 1 }] }),
      /extra: it is not known.*metadata\.name: it is/,
    );
    const other = { ...good, apiVersion: 'kwok.x-k8s.io/v1alpha1', kind: 'Stage' };
    assert.throws(
      () => readNodeGroups({ count: 1, stages: [other] }),
      /apiVersion: use stand-in\.cluster\.io\/v1 or stand-in\.k/,
    );
    const both = ['cluster', 'kubernetes'].map((set) => ({
      ...good,
      apiVersion: `stand-in.${set}.io/v1`,
      metadata: { name: set },
    }));
    assert.equal(readNodeGroups({ count: 1, stages: both }).length, 1);
  });

  it('matches by labels, annotations, deletion and an expression, all of them', () => {
    const followed = follow({
      selector: {
        matchLabels: { app: 'web' },
        matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['cache'] }],
        matchAnnotations: { mode: 'slow' },
        expression: 'object.status.phase == "Pending" && size(object.spec.containers) == 2 && stage == "before"',
      },
    });
    const object = { status: { phase: 'Pending' }, spec: { containers: [{}, {}] } };
    const metadata = { labels: { app: 'web' }, annotations: { mode: 'slow' } };
    const matches = (other: object, of: JsonObject = object) =>
      followed.matches({ metadata: { ...metadata, ...other } }, () => variablesOf(of));
    assert.equal(matches({}), true);
    assert.equal(matches({ labels: { app: 'web', tier: 'cache' } }), false);
    assert.equal(matches({ annotations: {} }), false);
    assert.equal(matches({ deletionTimestamp: '2030-01-01T00:00:00Z' }), false);
    assert.equal(matches({}, { ...object, status: { phase: 'Running' } }), false);
    const ending = follow({ selector: { terminating: true } });
    assert.equal(ending.matches({ metadata: { deletionTimestamp: 'x' } }, nothing), true);
    assert.equal(ending.matches({ metadata: {} }, nothing), false);
  });

  it('makes its next state of templates', () => {
    const followed = follow({
      next: {
        status: {
          phase: 'Running',
          containerStatuses: '${object.spec.containers.map(c, {"name": c.name, "restartCount": 1 + 1})}',
          message: 'on ${podIP}, braces ${ {"a": "}"}.a }, $${kept}, since ${timestamp(now)}',
          startTime: '${timestamp(now) + duration("1s")}',
        },
        annotations: { count: '${1 + int(object.metadata.generation)}' },
        event: { reason: 'Started', message: '${string(size(object.spec.containers))} of them' },
      },
    });
    const object = { metadata: { generation: 4 }, spec: { containers: [{ name: 'a' }, { name: 'b' }] } };
    assert.deepEqual(followed.nextState(variablesOf(object)), {
      status: {
        phase: 'Running',
        containerStatuses: [
          { name: 'a', restartCount: 2 },
          { name: 'b', restartCount: 2 },
        ],
        message: 'on 10.64.0.1, braces }, ${kept}, since 2030-01-02T03:04:05Z',
        startTime: '2030-01-02T03:04:06Z',
      },
      annotations: { count: '5' },
      event: { type: 'Normal', reason: 'Started', message: '2 of them' },
    });
  });

  it('has a delay with jitter, which fields of the object may state', () => {
    const delayOf = (delay: object, of: JsonObject = {}, random = 0.5) =>
      follow({ delay }).delayMs(variablesOf(of), () => random);
    assert.equal(delayOf({}), 0);
    assert.equal(delayOf({ duration: '1m', jitterDuration: '10s' }), 65_000);
    assert.equal(delayOf({ duration: '1m', jitterDuration: '10s' }, {}, 0), 60_000);
    const from = { duration: '1h', durationFrom: 'object.wait', jitterDurationFrom: 'duration("4s")' };
    assert.equal(delayOf(from, { wait: '250ms' }), 2_250);
    assert.equal(delayOf(from, { wait: '3' }), 5_000);
    assert.equal(delayOf(from, { wait: 3 }), 5_000);
    for (const wait of ['soon', '-1s', -1, true]) assert.equal(delayOf(from, { wait }), undefined, String(wait));
    assert.equal(delayOf(from, {}), undefined);
  });

  it('is chosen by its weight, and one of weight 0 only without others', () => {
    const stages = [
      { weight: 0, name: 'a' },
      { weight: 1, name: 'b' },
      { weight: 3, name: 'c' },
    ];
    const chosen = (random: number, of = stages) => chooseStage(of, () => random)?.name;
    assert.deepEqual(
      [0, 0.24, 0.25, 0.99].map((random) => chosen(random)),
      ['b', 'b', 'c', 'c'],
    );
    const fallbacks = [
      { weight: 0, name: 'a' },
      { weight: 0, name: 'b' },
    ];
    assert.deepEqual(
      [0, 0.49, 0.5, 0.99].map((random) => chosen(random, fallbacks)),
      ['a', 'a', 'b', 'b'],
    );
    assert.equal(chosen(0.5, []), undefined);
  });

  it('is switched off after its expression has cost too much for several objects', () => {
    const warnings: string[] = [];
    const list = JSON.stringify(Array.from({ length: 100 }, (_, index) => index));
    const expression = `${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))`;
    const followed = follow({ selector: { expression: `has(object.small) || ${expression}` } }, 's', warnings);
    const matches = (object: JsonObject) => followed.matches({ metadata: {} }, () => variablesOf(object));
    for (let round = 0; round < 4; round++) assert.equal(matches({}), false);
    // One object for which it is cheap keeps it on.
    assert.equal(matches({ small: 1 }), true);
    for (let round = 0; round < 4; round++) assert.equal(matches({}), false);
    assert.equal(followed.isActiveIn(''), true);
    assert.equal(matches({}), false);
    assert.equal(followed.isActiveIn(''), false);
    assert.equal(matches({ small: 1 }), false);
    assert.match(warnings[0] ?? '', /^StageProblem: spec\.selector\.expression: evaluation costs too much$/);
    assert.match(
      warnings[1] ?? '',
      /^StageSwitchedOff: the stage is switched off until it is changed, after 5 failures: spec/,
    );
    assert.equal(warnings.length, 2);
  });

  it('stays on for other namespaces when the objects of one make it fail', () => {
    const warnings: string[] = [];
    const next = { annotations: { a: '${string(int(object.metadata.labels.number))}' } };
    const followed = follow({ next }, 's', warnings);
    const of = (namespace: string, number: string): JsonObject => ({ metadata: { namespace, labels: { number } } });
    const matches = (namespace: string) => followed.matches({ metadata: { namespace } }, nothing);
    for (let round = 0; round < 5; round++) followed.nextState(variablesOf(of('theirs', 'none')));
    assert.equal(matches('theirs'), false);
    assert.equal(matches('ours'), true);
    assert.deepEqual(followed.nextState(variablesOf(of('ours', '7')))?.annotations, { a: '7' });
    assert.match(warnings.at(-1) ?? '', /^StageSwitchedOff: the stage is switched off in namespace theirs until/);
    for (let index = 0; index < 500; index++) followed.nextState(variablesOf(of(`n${index >> 2}`, 'none')));
    assert.equal(matches('ours'), true);
    for (let index = 0; index < 500; index++) followed.nextState(variablesOf(of(`n${index % 100}`, 'none')));
    assert.equal(matches('ours'), false);
  });

  it('with a long text of open quotation marks is refused at once', () => {
    const start = process.cpuUsage();
    const reading = read({ next: { status: { a: `\${"${'\\"'.repeat(200_000)}` } } });
    assert.match('problems' in reading ? reading.problems.join() : '', /no closing brace within 4096/);
    // A search to the end for each of them took minutes.
    assert.ok(process.cpuUsage(start).user < 10_000_000);
  });

  it('reports an error of its expression once, and does not match', () => {
    const warnings: string[] = [];
    const followed = follow({ selector: { expression: 'object.spec.nodNmae == "a"' } }, 's', warnings);
    const matches = () => followed.matches({ metadata: {} }, () => variablesOf({ spec: {} }));
    for (let round = 0; round < 20; round++) assert.equal(matches(), false);
    assert.deepEqual(warnings, ['StageProblem: spec.selector.expression: no such key: nodNmae']);
    assert.equal(followed.isActiveIn(''), true);
  });
});

describe('the stages of an object in time', () => {
  /** An object of a version, which `labels` describe. */
  function staged(
    stages: readonly FollowedStage[],
    version: string,
    labels: Record<string, string> = {},
  ): StagedObject {
    return {
      object: { metadata: { uid: 'u', name: 'web', resourceVersion: version, labels } },
      stages,
      variables: nothing,
    };
  }

  it('are chosen once, with one delay, while the chosen one matches', () => {
    const slow = follow(
      { delay: { duration: '10s', jitterDuration: '10s' }, selector: { matchLabels: { app: 'a' } } },
      'slow',
    );
    const late = follow({ delay: { duration: '60s' } }, 'late');
    const stages = [late, slow];
    const draws = [0.9, 0.5, 0.1, 0.1];
    const runs = new StageRuns(() => draws.shift() ?? assert.fail('drawn too often'));
    const step = (of: StagedObject, nowMs: number) => {
      const due = runs.next(of, nowMs);
      return due && [due.followed.stage.name, due.waitMs];
    };
    assert.deepEqual(step(staged(stages, '1', { app: 'a' }), 0), ['slow', 15_000]);
    assert.deepEqual(step(staged(stages, '2', { app: 'a', x: 'y' }), 5_000), ['slow', 10_000]);
    assert.deepEqual(step(staged(stages, '2', { app: 'a' }), 16_000), ['slow', 0]);
    // It does not match any more: the choice is made again, from now on.
    assert.deepEqual(step(staged(stages, '3'), 16_000), ['late', 60_000]);
    // A changed stage is another one.
    const changed = follow({ delay: { duration: '1s' } }, 'late');
    assert.deepEqual(step(staged([changed], '3'), 20_000), ['late', 1_000]);
    assert.equal(step(staged([], '3'), 20_000), undefined);
  });

  it('are over for a version of it, until it or they change', () => {
    const stages = [follow({})];
    const runs = new StageRuns(() => 0);
    assert.ok(runs.next(staged(stages, '1'), 0));
    runs.applied(staged(stages, '1'), { isChanged: false, hasOutcome: false }, 0);
    assert.equal(runs.next(staged(stages, '1'), 0), undefined);
    assert.equal(runs.isReplaced(staged(stages, '1').object), false);
    assert.ok(runs.next(staged([follow({})], '1'), 0));
    runs.applied(staged(stages, '1'), { isChanged: true, hasOutcome: true }, 0);
    assert.equal(runs.hasNewOutcome(staged(stages, '1').object), false);
    assert.equal(runs.hasNewOutcome(staged(stages, '2').object), true);
    assert.equal(runs.isReplaced(staged(stages, '1').object), true);
    assert.equal(runs.isReplaced(staged(stages, '2').object), false);
    assert.ok(runs.next(staged(stages, '2'), 0));
    assert.equal(runs.hasNewOutcome(staged(stages, '3').object), false);
  });

  it('are slowed down when they go in a circle without a delay', () => {
    const warnings: string[] = [];
    const stages = [follow({}, 'circle', warnings)];
    const runs = new StageRuns(() => 0);
    let nowMs = 0;
    const waits = Array.from({ length: 40 }, (_, index) => {
      const of = staged(stages, String(index));
      const waitMs = runs.next(of, nowMs)?.waitMs ?? Number.NaN;
      nowMs += waitMs;
      runs.applied(of, { isChanged: true, hasOutcome: false }, nowMs);
      return waitMs / 1000;
    });
    assert.deepEqual(
      waits.slice(0, 20),
      Array.from({ length: 20 }, () => 0),
    );
    assert.deepEqual(waits.slice(20, 31), [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /^StageLoop: pods such as web went through 20 stages without a delay/);
    // After a quiet time it starts again without a delay.
    assert.equal(runs.next(staged(stages, 'x'), nowMs + 400_000)?.waitMs, 0);
  });
});
