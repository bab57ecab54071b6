import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { valueAt } from './json-paths.ts';
import { minimise } from './minimise.ts';
import type { Sequence, SequenceStep } from './sequence.ts';

function sequenceOf(steps: readonly SequenceStep[]): Sequence {
  return { area: 'writes', kind: 'core/v1/configmaps', steps, leftovers: [] };
}

function stepWith(data: Record<string, string>): SequenceStep {
  return { method: 'PATCH', path: '/', query: { fieldManager: 'm', force: 'true' }, body: { data } };
}

describe('Minimising', () => {
  it('leaves the steps and the parts without which a sequence does not fail', async () => {
    const steps = [stepWith({ a: '1', b: '2' }), stepWith({ c: '3' }), stepWith({ b: '2', d: '4' })];
    const fails = async ({ steps: left }: Sequence): Promise<boolean> =>
      left.some(({ body }) => valueAt(body, ['data', 'a']) === '1') &&
      left.some(({ body }) => valueAt(body, ['data', 'd']) === '4');
    const small = await minimise(sequenceOf(steps), fails);
    assert.deepEqual(small.steps, [
      { method: 'PATCH', path: '/', query: { fieldManager: 'm' }, body: { data: { a: '1' } } },
      { method: 'PATCH', path: '/', query: { fieldManager: 'm' }, body: { data: { d: '4' } } },
    ]);
  });

  it('always returns a sequence that fails', async () => {
    const indexes = fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(indexes, fc.integer({ min: 0, max: 60 }), async (needed, budget) => {
        const steps = Array.from({ length: 10 }, (_, index) => stepWith({ index: String(index) }));
        const fails = async ({ steps: left }: Sequence): Promise<boolean> =>
          needed.every((index) => left.some(({ body }) => valueAt(body, ['data', 'index']) === String(index)));
        assert.equal(await fails(await minimise(sequenceOf(steps), fails, budget)), true);
      }),
    );
  });

  it('keeps a request to what is the sequence’s own where that is in no namespace', async () => {
    const remove: SequenceStep = {
      method: 'DELETE',
      path: '/api/v1/nodes',
      query: { labelSelector: 'run=a', limit: '1' },
    };
    const { steps } = await minimise(sequenceOf([remove]), async (smaller) => smaller.steps.length === 1);
    assert.deepEqual(steps[0]?.query, { labelSelector: 'run=a' });
  });

  it('keeps the end of a watch, for which the run would wait', async () => {
    const query = { watch: 'x', limit: '1', timeoutSeconds: '-1' };
    const watch: SequenceStep = { method: 'GET', path: '/api/v1/nodes', query };
    const isWatch = async ({ steps }: Sequence): Promise<boolean> => steps[0]?.query?.['watch'] !== undefined;
    const { steps } = await minimise(sequenceOf([watch]), isWatch);
    assert.deepEqual(steps[0]?.query, { watch: 'x', timeoutSeconds: '-1' });
  });
});
