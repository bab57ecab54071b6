import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { collectWhenIdle } from '../../../src/process/collect-when-idle.ts';

type IdleCollection = NonNullable<Parameters<typeof collectWhenIdle>[0]>;

const module = fileURLToPath(new URL('../../../src/process/collect-when-idle.js', import.meta.url));

/** Drops 64 MB of buffers and waits, which starts no collection in V8; prints whether they were collected in the time. */
const program = (one: IdleCollection): string => `
  import { collectWhenIdle } from ${JSON.stringify(module)};
  import { setTimeout as sleep } from 'node:timers/promises';
  let kept = Array.from({ length: 1_000 }, () => Buffer.allocUnsafeSlow(64 * 1024));
  gc();
  collectWhenIdle(${JSON.stringify(one)});
  kept = undefined;
  const isKept = () => process.memoryUsage().arrayBuffers > 32 * 1024 * 1024;
  for (let wait = 0; wait < 100 && isKept(); wait++) await sleep(20);
  console.log(isKept() ? 'kept' : 'collected');
`;

const settings: IdleCollection = { restMs: 100, heapBytes: 1e9, idleShare: 10 };

function run(one: IdleCollection): string {
  const flags = ['--expose-gc', '--input-type=module', '-e', program(one)];
  return execFileSync(process.execPath, flags).toString().trim();
}

describe('collectWhenIdle', () => {
  it('collects what an idle process no longer needs, which V8 does not', () => {
    assert.equal(run(settings), 'collected');
    assert.equal(run({ ...settings, restMs: 1e6 }), 'kept');
  });

  it('leaves a busy process and a large heap to V8', () => {
    assert.equal(run({ ...settings, idleShare: 0 }), 'kept');
    assert.equal(run({ ...settings, heapBytes: 0 }), 'kept');
  });
});
