import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { workersOf } from '../../../../src/process/workers/workers-of.ts';

describe('the number of workers', () => {
  const cases: readonly (readonly [readonly string[], number])[] = [
    [[], 1],
    [['--workers=3'], 3],
    [['--workers', '3'], 3],
    [['--workers=2', '--workers=4'], 4],
    [['--workers=auto'], availableParallelism()],
    // The flags refuse these in the process that is started alone.
    [['--workers=many'], 1],
    [['--workers'], 1],
    [['--workers=0'], 1],
  ];
  for (const [args, count] of cases) {
    it(`is ${count} for ${args.join(' ') || 'no flag'}`, () => assert.equal(workersOf(args), count));
  }
});
