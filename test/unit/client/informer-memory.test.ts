import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const script = 'dist/test/unit/client/measure-informer.js';

describe('an informer of 10,000 objects', () => {
  for (const size of ['usual', 'small']) {
    it(`takes less than twice the memory of their JSON if they are of ${size} size`, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, size]);
      const { objects, bytes, held } = JSON.parse(stdout) as Record<'objects' | 'bytes' | 'held', number>;
      assert.equal(objects, 10_000);
      assert.ok(held < 2 * bytes, `${held} bytes for ${bytes} of JSON`);
    });
  }
});
