import assert from 'node:assert/strict';
import { StatusError } from '../../../src/client/index.ts';
import type { Node } from '../../../src/controllers/resources.ts';
import type { Taint } from '../../../src/gen/types/core-v1.ts';
import { writeTaints } from '../../../src/controllers/nodelifecycle/write-taints.ts';
import { ZoneEvictions } from '../../../src/controllers/nodelifecycle/zone-evictions.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';

const node = (name: string, resourceVersion = '1', taints: Taint[] = []): Node => ({
  metadata: { name, uid: name, resourceVersion, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { taints },
});

describe('evictions from nodes', () => {
  it('wait a full period after an outage of all nodes, and after each other', () => {
    const rates = { perSecond: 0.1, secondaryPerSecond: 0.01, largeZone: 50, unhealthyShare: 0.55 };
    const evictions = new ZoneEvictions(rates, identifiersOf('cluster'));
    const [a, b, c] = ['a', 'b', 'c'].map((name) => node(name));
    const lost = [a, b].filter((each) => each !== undefined);
    const states = { ready: c ? [c] : [], notReady: lost };
    const taken = (nowMs: number): string =>
      evictions
        .take(lost, states, nowMs)
        .map(({ metadata }) => metadata.name)
        .join();
    assert.equal(taken(0), 'a');
    evictions.resume(20_000);
    assert.deepEqual([taken(20_000), taken(29_999), taken(30_000), taken(39_999)], ['', '', 'a', '']);
  });

  it('are written for the present state of a node that others change', async () => {
    const written: unknown[] = [];
    const other = { key: 'example.com/other', effect: 'NoSchedule' };
    await writeTaints(
      {
        get: () => Promise.resolve(node('a', '2', [other])),
        patch(_name, patch) {
          written.push(patch);
          const conflict = new StatusError({ code: 409, reason: 'Conflict', message: 'changed' });
          return written.length === 1 ? Promise.reject(conflict) : Promise.resolve(node('a'));
        },
      },
      node('a'),
      ({ spec }) => [...(spec?.taints ?? []), { key: 'lost', effect: 'NoExecute' }],
      new AbortController().signal,
    );
    const lost = { key: 'lost', effect: 'NoExecute' };
    assert.deepEqual(written, [
      { metadata: { resourceVersion: '1' }, spec: { taints: [lost] } },
      { metadata: { resourceVersion: '2' }, spec: { taints: [other, lost] } },
    ]);
  });
});
