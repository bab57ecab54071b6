import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { ruleValidator } from '../../../src/apiextensions/expression-rules/rule-validator.ts';
import { newestRelease } from '../../../src/scheme/api-release.ts';
import { compileStructuralSchema } from '../../../src/scheme/model/structural-schema.ts';

/** Lists of 200 numbers, each with a rule that costs some 450,000. */
function listsWith(rule: string, count: number): { readonly schema: JsonObject; readonly object: JsonObject } {
  const names = Array.from({ length: count }, (_, index) => `list${index}`);
  const list: JsonObject = {
    type: 'array',
    items: { type: 'integer' },
    'x-kubernetes-validations': [{ rule }],
  };
  const numbers = Array.from({ length: 200 }, (_, index) => index);
  return {
    schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, list])) },
    object: Object.fromEntries(names.map((name) => [name, numbers])),
  };
}

/** Validates an object, and counts the turns of the event loop meanwhile. */
async function turnsOf(rule: string, count: number): Promise<{ readonly turns: number; readonly errors: number }> {
  const { schema, object } = listsWith(rule, count);
  const validate = ruleValidator(compileStructuralSchema(schema), () => true);
  let turns = 0;
  let isDone = false;
  const next = (): void => {
    turns++;
    if (!isDone) setImmediate(next);
  };
  setImmediate(next);
  const errors = await validate(object, {
    old: undefined,
    found: [],
    release: newestRelease,
    warn: () => assert.fail('nothing is old'),
  });
  isDone = true;
  return { turns, errors: errors.length };
}

describe('rules that are expressions', () => {
  it('let other requests run after each dear one, on any machine', async () => {
    const { turns, errors } = await turnsOf('self.all(x, self.all(y, x < 1000 && y < 1000))', 20);
    assert.equal(errors, 0);
    assert.ok(turns >= 20, `${turns} turns`);
  });

  it('run in one turn when they are cheap', async () => {
    const { schema, object } = listsWith('self.size() < 1000', 2);
    const validate = ruleValidator(compileStructuralSchema(schema), () => true);
    const warn = (): never => assert.fail('nothing is old');
    const state = { old: undefined, found: [], release: newestRelease, warn };
    // They are compiled at first, which may take a turn of its own.
    assert.deepEqual(await validate(object, state), []);
    assert.deepEqual(validate(object, state), [], 'no promise');
  });
});
