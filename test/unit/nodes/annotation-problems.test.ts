import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { annotationProblems } from '../../../src/nodes/agent/annotation-problems.ts';

const cluster = identifiersOf('cluster');

describe('annotations for stand-in nodes', () => {
  it('have no problem if they are known, and others are not looked at', () => {
    const annotations = {
      'stand-in.cluster.io/outcome': 'Failed',
      'stand-in.cluster.io/message': 'anything',
      'stand-in.cluster.io/termination-seconds': '2.5',
      'stand-in.cluster.io/cpu': '250m',
      'example.com/outcome': 'Perfect',
    };
    assert.deepEqual(annotationProblems('Pod', annotations, cluster), []);
    assert.deepEqual(annotationProblems('Node', { 'stand-in.cluster.io/outcome': 'Lost' }, cluster), []);
    assert.deepEqual(annotationProblems('Node', undefined, cluster), []);
  });

  for (const [kind, name, value, pattern] of [
    ['Pod', 'stand-in.cluster.io/outcome', 'Runing', /outcome: "Runing" is not one of Running, NotReady, Succeeded, F/],
    ['Pod', 'stand-in.cluster.io/outcome', 'Lost', /"Lost" is not one of Running/],
    ['Node', 'stand-in.cluster.io/outcome', 'Failed', /"Failed" is not one of Ready, NotReady, MemoryPressure, /],
    [
      'Pod',
      'stand-in.cluster.io/outcom',
      'Failed',
      /outcom has no effect: those of a Pod are stand-in\.cluster\.io\/o/,
    ],
    ['Node', 'stand-in.cluster.io/message', 'x', /has no effect: those of a Node are/],
    ['Pod', 'stand-in.kubernetes.io/outcom', 'Failed', /has no effect: those of a Pod are stand-in\.cluster/],
    ['Pod', 'stand-in.kubernetes.io/logs-interval.web', 'often', /is not a number of seconds/],
    ['Pod', 'stand-in.cluster.io/ports', '80=localhost:1', /is not ports with targets like/],
    ['Pod', 'stand-in.cluster.io/termination-seconds', 'soon', /is not a number of seconds/],
    ['Pod', 'stand-in.cluster.io/restarts', '-1', /is not a whole number/],
    ['Pod', 'stand-in.kubernetes.io/exit-code', '256', /is not a number, 1 to 255/],
    ['Pod', 'stand-in.cluster.io/start-seconds', '5s', /is not a number of seconds/],
    ['Node', 'stand-in.cluster.io/memory', 'much', /is not a quantity/],
  ] as const) {
    it(`are reported: ${kind} ${name}=${value}`, () => {
      const problems = annotationProblems(kind, { [name]: value }, cluster);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', pattern);
    });
  }

  it('count in both spellings, and the one of the server before the other', () => {
    const kubernetes = identifiersOf('kubernetes');
    assert.deepEqual(annotationProblems('Pod', { 'stand-in.cluster.io/outcome': 'Failed' }, kubernetes), []);
    const both = { 'stand-in.cluster.io/outcome': 'Failed', 'stand-in.kubernetes.io/outcome': 'Running' };
    assert.match(
      annotationProblems('Pod', both, kubernetes).join(),
      /^annotation stand-in\.cluster\.io\/outcome has no effect: stand-in\.kubernetes\.io\/outcome counts on this/,
    );
  });
});
