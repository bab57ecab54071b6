import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const module = fileURLToPath(new URL('../../../src/process/delay-optimization.js', import.meta.url));

/** Has V8 optimize a function that calls another one of 270 bytes of bytecode. */
const program = `
  import { limitInlining } from ${JSON.stringify(module)};
  if (process.argv[1] === 'limited') limitInlining();
  const callee = new Function('a', 'return a' + ' + a * a'.repeat(30) + ';');
  const caller = new Function('callee', 'a', 'return callee(a) + 1;');
  for (let i = 0; i < 300_000; i++) caller(callee, i);
`;

/** V8 prints the size of what it inlines. */
function inlines(...args: readonly string[]): boolean {
  const flags = ['--trace-turbo-inlining', '--no-concurrent-recompilation', '--input-type=module'];
  const printed = execFileSync(process.execPath, [...flags, '-e', program, ...args], { timeout: 30_000 }).toString();
  return /bytecode size: 2\d\d\b/.test(printed);
}

describe('limitInlining', () => {
  it('keeps functions out of others that V8 would inline', () => {
    assert.equal(inlines(), true);
    assert.equal(inlines('limited'), false);
  });
});
