import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

describe('an informer of 10,000 objects', () => {
  it('takes less than twice the memory of their JSON', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--expose-gc',
      'dist/test/unit/client/measure-informer.js',
    ]);
    const { objects, bytes, held } = JSON.parse(stdout) as Record<'objects' | 'bytes' | 'held', number>;
    assert.equal(objects, 10_000);
    assert.ok(held < 2 * bytes, `${held} bytes for ${bytes} of JSON`);
  });
});
