import assert from 'node:assert/strict';
import { estimateCost } from '../../../src/cel/cost/estimate.ts';
import { fullEnvironment } from '../../../src/cel/functions/environment.ts';
import { compileProgram, type Program } from '../../../src/cel/program.ts';
import { formatType, type ObjectType, types } from '../../../src/cel/types/cel-type.ts';
import { CelObject, Failure, typeNameOf } from '../../../src/cel/values/cel-value.ts';
import { toJson } from '../../../src/cel/values/from-json.ts';
import { meterFor } from '../../../src/cel/values/work-meter.ts';

const patch: ObjectType = {
  kind: 'object',
  name: 'Patch',
  fields: new Map([
    ['op', { name: 'op', type: types.string }],
    ['value', { name: 'value', type: types.dyn }],
  ]),
};

/** Patches, and objects with any fields. */
function messages(name: string): ObjectType | undefined {
  if (name === 'Patch') return patch;
  return /^Object(?:\.|$)/.test(name) ? { kind: 'object', name, fields: new Map(), otherFields: types.dyn } : undefined;
}

function compile(text: string): Program {
  return compileProgram(text, {
    environment: fullEnvironment(),
    variables: new Map([['any', types.dyn]]),
    messages,
  });
}

const meter = meterFor(1_000_000);
const value = (text: string): ReturnType<Program['run']>['value'] => compile(text).run([7n], 1_000, meter).value;

const wrong: readonly (readonly [text: string, problem: string])[] = [
  ['Patch{zork: 1}', "<input>:1:11: expected type of field 'zork' is '' but provided type is 'int'"],
  ['Patch{op: 1}', "<input>:1:9: expected type of field 'op' is 'string' but provided type is 'int'"],
  ['Zork{op: zork}', "undeclared reference to 'Zork' (in container '')"],
  ['int{}', "'int' is not a message type"],
];

describe('messages in expressions', () => {
  it('have the fields that the expression gives them', () => {
    const made = value('Object{spec: Object.spec{replicas: 1 + 1, ?paused: optional.none(), ?name: optional.of("a")}}');
    assert.deepEqual(toJson(meter, made), { spec: { replicas: 2, name: 'a' } });
    assert.ok(made instanceof CelObject);
    assert.deepEqual([typeNameOf(made), typeNameOf(made.get('spec') ?? null)], ['Object', 'Object.spec']);
  });

  it('have types, fields that can be read, and a cost', () => {
    assert.equal(formatType(compile('[Patch{op: "add"}]').type), 'list(Patch)');
    assert.equal(value('Patch{op: "add"}.op + Object{a: "b"}.a'), 'addb');
    assert.equal(value('has(Object{a: 1}.a) && !has(Object{}.a) && type(Object{}) == Object'), true);
    assert.equal(compile('Object{a: Object.a{}}').run([7n], 1_000, meter).cost, 80);
    assert.deepEqual(estimateCost(compile('Object{a: Object.a{}}').checked, types.dyn), { min: 80, max: 80 });
  });

  it('refuse a value whose type shows only when they run', () => {
    assert.deepEqual(value('Patch{op: any}'), new Failure("unexpected type int for field 'op'"));
  });

  for (const [text, problem] of wrong) {
    it(`are refused: ${text}`, () => {
      assert.throws(
        () => compile(text),
        (error: Error) => error.message.includes(problem) || assert.fail(error.message),
      );
    });
  }
});
