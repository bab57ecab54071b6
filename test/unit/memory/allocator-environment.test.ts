import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { allocatorEnvironment } from '../../../src/memory/allocator-environment.ts';

const files = ['Dockerfile', 'systemd/cl-apiserver.service', 'systemd/cl-controller-manager.service'];

describe('the settings of the allocator', () => {
  it('are those of the image and the units', () => {
    const settings = Object.entries(allocatorEnvironment()).map(([name, value]) => `${name}=${value}`);
    for (const file of files) {
      const text = readFileSync(new URL(`../../../../deploy/${file}`, import.meta.url), 'utf8');
      assert.ok(text.includes(settings.join(' ')), file);
    }
  });

  it('leave those of the user', () => {
    const environment = allocatorEnvironment({ HOME: '/', MALLOC_MMAP_THRESHOLD_: '1' });
    assert.equal(environment['MALLOC_MMAP_THRESHOLD_'], '1');
    assert.equal(environment['HOME'], '/');
    assert.ok(Number(environment['MALLOC_TRIM_THRESHOLD_']) > 0);
  });
});
