import assert from 'node:assert/strict';
import type { Toleration } from '../../../src/gen/stored/core-v1.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { checkTolerations, type NumberOperators } from '../../../src/kinds/core/check-tolerations.ts';
import { tolerates } from '../../../src/kinds/core/tolerates.ts';
import { strategy } from '../../../src/resources/core/pods/strategy.ts';
import type { Pod } from '../../../src/gen/stored/core-v1.ts';
import { newestEmulated } from '../../../src/scheme/emulated-release.ts';
import { complete, context } from '../resources/context.ts';

const messagesOf = (value: string, numbers: NumberOperators, operator = 'Gt'): readonly string[] => {
  const toleration = { key: 'speed', operator, value } as Toleration;
  return checkTolerations('tolerations', [toleration], numbers).map(({ field, message }) => `${field} ${message}`);
};

describe('tolerations that compare numbers', () => {
  it('are whole numbers of 64 bits in their usual form', () => {
    const at = 'tolerations[0].value Invalid value: ';
    const parse = 'strconv.ParseInt: parsing ';
    for (const value of ['0', '-5', '9223372036854775807', '-9223372036854775808']) {
      assert.deepEqual(messagesOf(value, 'allowed'), [], value);
    }
    assert.deepEqual(messagesOf('', 'allowed'), [`${at}"": must be non-empty`, `${at}"": ${parse}"": invalid syntax`]);
    assert.deepEqual(messagesOf('007', 'allowed'), [`${at}"007": must be a valid decimal integer in canonical form`]);
    assert.deepEqual(messagesOf('9223372036854775808', 'allowed', 'Lt'), [
      `${at}"9223372036854775808": ${parse}"9223372036854775808": value out of range`,
    ]);
  });

  it('are refused without their gate, in the words of the release', () => {
    const at = 'tolerations[0].operator Unsupported value: "Gt": supported values: ';
    assert.deepEqual(messagesOf('5', 'refused'), [`${at}"Equal", "Exists", "Lt", "Gt"`]);
    assert.deepEqual(messagesOf('5', 'unknown'), [`${at}"Equal", "Exists"`]);
  });

  it('stay allowed in a pod that has them when the gate is turned off', () => {
    const tolerations = [{ key: 'speed', operator: 'Gt', value: '5' }];
    const podOf = (spec: JsonObject): Pod =>
      complete('api.core.v1.Pod', { spec: { containers: [{ name: 'c', image: 'a' }], ...spec } }) as Pod;
    const isFeatureEnabled = (gate: string): boolean => gate !== 'TaintTolerationComparisonOperators';
    const off = { ...context, emulated: { ...newestEmulated, isFeatureEnabled } };
    const fieldsOf = (old: Pod): readonly string[] =>
      (strategy.validate?.(podOf({ tolerations }), off, old) ?? [])
        .map(({ field }) => field)
        .filter((field) => field.includes('tolerations'));
    assert.deepEqual(fieldsOf(podOf({})), ['spec.tolerations[0].operator']);
    assert.deepEqual(fieldsOf(podOf({ tolerations })), []);
  });

  it('tolerate taints whose number is greater or less', () => {
    const taint = { key: 'speed', value: '10', effect: 'NoSchedule' };
    const isTolerated = (operator: string, value: string): boolean =>
      tolerates([{ key: 'speed', operator, value }], taint);
    assert.deepEqual(
      [isTolerated('Gt', '9'), isTolerated('Gt', '10'), isTolerated('Lt', '11'), isTolerated('Lt', '9')],
      [true, false, true, false],
    );
  });
});
