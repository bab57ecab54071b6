import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { raiseReport } from '../../../../src/cli/commands/snapshot/raise-report.ts';

describe('the report of a raised revision', () => {
  it('says once how long it takes, if that is long, and always how long is left', () => {
    const stderr = new PassThrough();
    const shown: string[] = [];
    let nowMs = 0;
    const report = raiseReport(
      { stderr },
      (text) => void shown.push(text),
      () => nowMs,
    );
    for (const reached of [1_000, 11_000, 21_000, 31_000]) {
      report(reached, 50_001_000);
      nowMs += 5_000;
    }
    assert.deepEqual(shown, [
      'revision 1000 of 50001000 is reached',
      'revision 11000 of 50001000 is reached, 6h56m left',
      'revision 21000 of 50001000 is reached, 6h56m left',
      'revision 31000 of 50001000 is reached, 6h56m left',
    ]);
    assert.equal(
      String(stderr.read()),
      'raising the revision to 50001000 takes about 6h56m (2000 a second); the same command goes on where an interrupted one has ended\n',
    );
    raiseReport(
      { stderr },
      () => {},
      () => nowMs,
    )(49_999_000, 50_001_000);
    assert.equal(stderr.read(), null);
  });
});
