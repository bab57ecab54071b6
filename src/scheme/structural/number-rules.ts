import type { JsonObject } from '../../meta/json-value.ts';
import { isTrue, numberAt, stringAt } from '../../meta/read-field.ts';
import { broken, type Rule, unread } from './value-check.ts';

/** A rule for numbers that holds if `isMet`. */
function numberRule(isMet: (value: number) => boolean, why: string): Rule {
  return (value, check) => {
    if ((typeof value === 'number' || typeof value === 'bigint') && !isMet(Number(value))) broken(check, value, why);
  };
}

/** The rules of a schema for numbers: the range of the type and format, steps and bounds. */
export function numberRules(schema: JsonObject, types: readonly string[]): Rule[] {
  const [step, most, least] = ['multipleOf', 'maximum', 'minimum'].map((name) => numberAt(schema, name));
  const [below, above] = [isTrue(schema, 'exclusiveMaximum'), isTrue(schema, 'exclusiveMinimum')];
  return [
    ...rangeRules(types, stringAt(schema, 'format')),
    ...(step === undefined || step === 0
      ? []
      : [numberRule((value) => Number.isInteger(value / step), `be a multiple of ${step}`)]),
    ...(least === undefined
      ? []
      : [
          numberRule(
            (value) => value > least || (value === least && !above),
            `be greater than ${above ? '' : 'or equal to '}${least}`,
          ),
        ]),
    ...(most === undefined
      ? []
      : [
          numberRule(
            (value) => value < most || (value === most && !below),
            `be less than ${below ? '' : 'or equal to '}${most}`,
          ),
        ]),
  ];
}

/** The bits of the integer formats, and the largest number of the fraction formats. */
const integerBits: ReadonlyMap<string, bigint> = new Map([['int32', 32n]]);
const largestFraction: ReadonlyMap<string, number> = new Map([['float', 3.4028235677973366e38]]);

/**
 * The rules that a number fits its type. kube-apiserver reports them apart from the type since
 * 1.24.
 */
function rangeRules(types: readonly string[], format: string): Rule[] {
  const what = `${types[0]} ${format === '' ? '(default format)' : `with format ${format}`}`;
  if (types.length === 1 && types[0] === 'integer') {
    const bits = integerBits.get(format) ?? 64n;
    return [rangeRule((value) => isWhole(value) && isWithin(BigInt(value), bits), what)];
  }
  const largest = types[0] === 'number' ? largestFraction.get(format) : undefined;
  return largest === undefined ? [] : [rangeRule((value) => Math.abs(Number(value)) < largest, what)];
}

function isWhole(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function isWithin(value: bigint, bits: bigint): boolean {
  return value >= -(1n << (bits - 1n)) && value < 1n << (bits - 1n);
}

function rangeRule(isMet: (value: number | bigint) => boolean, what: string): Rule {
  return (value, check) => {
    if (!check.report.isDetailed || (typeof value !== 'number' && typeof value !== 'bigint')) return;
    if (!isMet(value)) unread(check, what);
  };
}
