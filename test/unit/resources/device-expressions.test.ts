import assert from 'node:assert/strict';
import { compileSelector } from '../../../src/cel/devices/compile-selector.ts';
import { checkExpressions, expressionsOfClaim } from '../../../src/resources/rules/devices/expressions.ts';

/** An expression of some thousand characters that no other one has. */
function longExpression(index: number): string {
  return `device.driver == "${index}"${' && device.driver != "a"'.repeat(250)}`;
}

describe('the expressions of a claim of devices', () => {
  it('are compiled in several turns of the event loop', async () => {
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const expressions = Array.from({ length: 60 }, (_, index) => ({ path: `[${index}]`, text: longExpression(index) }));
    assert.deepEqual(await checkExpressions(expressions), []);
    isDone = true;
    assert.ok(turns > 1);
  });

  it('are not compiled in a list that is too long', () => {
    const selectors = Array.from({ length: 33 }, () => ({ cel: { expression: 'wrong' } }));
    const exactly = { deviceClassName: 'a', selectors };
    assert.deepEqual(expressionsOfClaim({ requests: [{ name: 'a', exactly }] }, 'spec.devices'), []);
    const within = { ...exactly, selectors: selectors.slice(1) };
    assert.equal(expressionsOfClaim({ requests: [{ name: 'a', exactly: within }] }, 'spec.devices').length, 32);
  });

  it('are remembered up to a size of their texts', () => {
    const first = compileSelector(longExpression(1_000));
    assert.equal(compileSelector(longExpression(1_000)), first);
    for (let index = 1_001; index < 1_015; index++) compileSelector(longExpression(index));
    assert.notEqual(compileSelector(longExpression(1_000)), first);
  });
});
