import * as fc from 'fast-check';
import { kinds, RestoredWorld, type WorldStep } from './restored-world.ts';

const kind = fc.constantFrom(...kinds);
const name = fc.constantFrom('v', 'w');
const ms = fc.integer({ min: 0, max: 12 });
const longer = fc.integer({ min: 0, max: 60 });

const restore = fc.record({
  do: fc.constant('restore' as const),
  lost: fc.integer({ min: 0, max: 4 }),
  outageMs: ms,
  streamsHang: fc.boolean(),
});

/** Each kind of step, as often as it stands here. */
const step: fc.Arbitrary<WorldStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), kind, name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('label' as const, 'delete' as const), kind, name }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('list' as const), kind }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('write elsewhere' as const, 'cut calls' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cut streams' as const), forMs: longer }) },
  { weight: 2, arbitrary: restore },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pause' as const), ms }) },
);

/** A kind that is read for the first time, perhaps, after the stream broke and before the store is restored. */
const reading: fc.Arbitrary<WorldStep[]> = fc
  .tuple(kind, longer, restore, fc.boolean())
  .map(([read, forMs, restored, writesAgain]) => [
    { do: 'create', kind: read, name: 'v' },
    { do: 'pause', ms: 8 },
    { do: 'cut streams', forMs },
    { do: 'create', kind: read, name: 'w' },
    { do: 'list', kind: read },
    { do: 'pause', ms: 8 },
    restored,
    ...(writesAgain ? [{ do: 'create', kind: read, name: 'x' } as const] : []),
    { do: 'pause', ms: 30 },
    { do: 'list', kind: read },
  ]);

/** Steps of any kind, and now and then those in a row that a mistake of the past needed. */
const steps = fc
  .array(fc.oneof({ weight: 12, arbitrary: step.map((one) => [one]) }, { weight: 1, arbitrary: reading }), {
    minLength: 5,
    maxLength: 50,
  })
  .map((parts) => parts.flat());

/** How long messages take, in turn: most of them no time. */
const delays = fc.array(fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: ms }), {
  minLength: 1,
  maxLength: 30,
});

describe('a watch cache whose store is restored again and again', () => {
  it('lists only what is there, whatever the network does', async () => {
    await fc.assert(
      fc.asyncProperty(steps, delays, async (all, times) => {
        let messages = 0;
        const world = new RestoredWorld(() => times[messages++ % times.length] ?? 0);
        try {
          for (const one of all) await world.step(one);
          await world.end();
        } finally {
          await world.close();
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? 60), endOnFailure: true },
    );
  });
});
