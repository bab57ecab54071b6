import assert from 'node:assert/strict';
import { ReferenceGraph } from '../../../../src/authz/node/reference-graph.ts';

describe('the graph of references', () => {
  let graph: ReferenceGraph;
  beforeEach(() => {
    graph = new ReferenceGraph();
  });

  it('leads from a target over its holders to a node', () => {
    graph.set('pod', [{ target: 'claim', holder: 'node' }]);
    graph.set('volume', [
      { target: 'volume', holder: 'claim' },
      { target: 'secret', holder: 'volume' },
    ]);
    assert.ok(graph.reaches('secret', 'node'));
    assert.ok(!graph.reaches('secret', 'other'));
    assert.ok(!graph.reaches('node', 'secret'));
  });

  it('finds a target with many holders from the node', () => {
    for (let index = 0; index < 100; index++) {
      graph.set(`volume-${index}`, [
        { target: `volume-${index}`, holder: `claim-${index}` },
        { target: 'secret', holder: `volume-${index}` },
      ]);
    }
    graph.set('pod', [
      { target: 'other', holder: 'node' },
      { target: 'claim-70', holder: 'node' },
    ]);
    assert.ok(graph.reaches('secret', 'node'));
    graph.set('volume-70', []);
    assert.ok(!graph.reaches('secret', 'node'));
    graph.set('volume-71', [{ target: 'secret', holder: 'node' }]);
    assert.ok(graph.reaches('secret', 'node'));
  });

  it('keeps a holder as long as one object refers to the target for it', () => {
    const reference = { target: 'secret', holder: 'node' };
    graph.set('pod-1', [reference, reference]);
    graph.set('pod-2', [reference]);
    graph.set('pod-1', []);
    assert.ok(graph.reaches('secret', 'node'));
    graph.set('pod-2', []);
    assert.ok(!graph.reaches('secret', 'node'));
  });

  it('replaces the references of an object', () => {
    graph.set('pod', [{ target: 'a', holder: 'node' }]);
    graph.set('pod', [{ target: 'b', holder: 'node' }]);
    assert.deepEqual([graph.reaches('a', 'node'), graph.reaches('b', 'node')], [false, true]);
  });
});
