import assert from 'node:assert/strict';
import { warningsOfExisting } from '../../../../src/admission/plugins/pod-security/existing-pods.ts';
import type { Pod } from '../../../../src/gen/stored/core-v1.ts';
import { nameOf } from '../../../../src/meta/object-meta.ts';

const baseline = { level: 'baseline', version: 20 } as const;

/** Pods with their controllers, in the order of a list. */
const listed = (...pods: readonly (readonly [name: string, controller?: string])[]) =>
  pods.map(([name, uid]) => (): Pod => {
    const owner = uid ? { ownerReferences: [{ uid, controller: true }] } : {};
    return { metadata: { name, ...owner }, spec: {}, status: {} } as Pod;
  });

describe('the existing Pods of a namespace', () => {
  it('are named once for each reason, the first of them and the number of the others', async () => {
    const reasons: Readonly<Record<string, string>> = { a: '', b: 'y', c: 'x', d: 'y', e: 'y', f: 'x' };
    const pods = listed(['f'], ['e'], ['d'], ['c'], ['b'], ['a']);
    assert.deepEqual(await warningsOfExisting('ns', baseline, pods, (pod) => reasons[nameOf(pod)] ?? ''), [
      'existing pods in namespace "ns" violate the new PodSecurity enforce level "baseline:v1.20"',
      'b (and 2 other pods): y',
      'c (and 1 other pod): x',
    ]);
    assert.deepEqual(await warningsOfExisting('ns', baseline, pods, () => ''), []);
  });

  it('are checked up to a limit, one of each controller first', async () => {
    const replicas = Array.from({ length: 3000 }, (_, index) => [`r${index}`, 'replicas'] as const);
    const checked: string[] = [];
    const warnings = await warningsOfExisting('ns', baseline, listed(...replicas, ['z'], ['job', 'job']), (pod) => {
      checked.push(nameOf(pod));
      return '';
    });
    assert.deepEqual(checked.slice(0, 4), ['r0', 'z', 'job', 'r1']);
    assert.equal(checked.length, 3000);
    assert.deepEqual(warnings, [
      'new PodSecurity enforce level only checked against the first 3000 of 3002 existing pods',
    ]);
  });

  it('are checked for a second', async () => {
    const pods = listed(...Array.from({ length: 100 }, (_, index) => [`p${index}`] as const));
    const [warning = ''] = await warningsOfExisting('ns', baseline, pods, () => {
      const end = performance.now() + 100;
      while (performance.now() < end);
      return '';
    });
    assert.match(warning, /^new PodSecurity enforce level only checked against the first \d\d? of 100 existing pods$/);
  });
});
