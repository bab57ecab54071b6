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
    ['Node', 'stand-in.cluster.io/outcome', 'Failed', /"Failed" is not one of Ready, NotReady, Lost/],
    [
      'Pod',
      'stand-in.cluster.io/outcom',
      'Failed',
      /outcom has no effect: those of a Pod are stand-in\.cluster\.io\/o/,
    ],
    ['Node', 'stand-in.cluster.io/message', 'x', /has no effect: those of a Node are/],
    ['Pod', 'stand-in.kubernetes.io/outcome', 'Failed', /on this server it is stand-in\.cluster\.io\/outcome$/],
    ['Pod', 'stand-in.cluster.io/termination-seconds', 'soon', /is not a number of seconds/],
    ['Node', 'stand-in.cluster.io/memory', 'much', /is not a quantity/],
  ] as const) {
    it(`are reported: ${kind} ${name}=${value}`, () => {
      const problems = annotationProblems(kind, { [name]: value }, cluster);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', pattern);
    });
  }

  it('of the default identifiers are reported under the others', () => {
    const problems = annotationProblems(
      'Pod',
      { 'stand-in.cluster.io/outcome': 'Failed' },
      identifiersOf('kubernetes'),
    );
    assert.match(problems.join(), /on this server it is stand-in\.kubernetes\.io\/outcome$/);
  });
});
