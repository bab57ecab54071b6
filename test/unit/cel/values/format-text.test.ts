import assert from 'node:assert/strict';
import { environmentOfNew } from '../../../../src/cel/functions/environment.ts';
import { compileProgram } from '../../../../src/cel/program.ts';
import { Failure } from '../../../../src/cel/values/cel-value.ts';
import { ExpressionError } from '../../../../src/cel/values/expression.ts';
import { meterFor } from '../../../../src/cel/values/work-meter.ts';

/** Expressions, and their values or errors in kube-apiserver 1.36. */
const values: readonly (readonly [text: string, value: string])[] = [
  ['string(1000000.0)', '1e+06'],
  ['string(12345678.0)', '1.2345678e+07'],
  ['string(123456.0)', '123456'],
  ['string(0.0001)', '0.0001'],
  ['string(0.00001)', '1e-05'],
  ['string(1e20)', '1e+20'],
  [
    '"%.0f".format([1.0e100])',
    '10,000,000,000,000,000,159,028,911,097,599,180,468,360,808,563,945,281,389,781,327,557,747,838,772,170,381,060,813,469,985,856,815,104',
  ],
  ['"%.10f".format([12345.678])', '12,345.6780000000'],
  ['"%.2f".format([2.675])', '2.67'],
  ['"%.2f".format([0.125])', '0.12'],
  ['"%.2f".format([0.375])', '0.38'],
  ['"%e".format([0.00012345])', '1.234500×10⁻⁰⁴'],
  ['"%e".format([-1e-100])', '-1.000000×10⁻¹⁰⁰'],
  ['"%e".format([0.0])', '0.000000×10⁰⁰'],
  ['"%f".format([-0.0])', '0.000000'],
  ['"%f".format([0.0])', '0.000000'],
  ['"%.20e".format([1.0])', '       1.000000×10⁰⁰'],
  ['"%.0e".format([1.5])', '1.500000×10⁰⁰'],
  ['"%e".format([12345678.5])', '1.234568×10⁰⁷'],
  ['"%e".format([1234567.5])', '1.234568×10⁰⁶'],
  ['"%f".format([0.0000005])', '0.000000'],
  ['"%f".format([0.00000051])', '0.000001'],
  ['"%f".format([999999.9999999])', '1,000,000.000000'],
  ['"%f".format([-1234.5])', '-1,234.500000'],
  [
    '"%s".format([[1u, b"a", true, null, duration("1s"), timestamp("2020-01-01T00:00:00Z"), int, 1e10, double("NaN"), "x\\ny"]])',
    '[1, b"a", true, null, duration("1s"), timestamp("2020-01-01T00:00:00Z"), int, 10000000000.000000, "NaN", "x\\ny"]',
  ],
  ['"%s".format([{"a": [1.5], 2: 3}])', '{"a":[1.500000], 2:3}'],
  ['"%s".format([{}])', '{}'],
  ['"%s".format([[]])', '[]'],
  ['"%d".format([dyn(1.5)])', 'error during formatting: decimal clause can only be used on integers, was given double'],
  ['"%f".format([dyn(1)])', 'error during formatting: fixed-point clause can only be used on doubles, was given int'],
  [
    '"%s".format([dyn(optional.none())])',
    'error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type',
  ],
  ['"%x".format([-255])', '-ff'],
  ['"%X".format(["hé"])', '68C3A9'],
  ['"%b".format([-5])', '-101'],
  ['"%o".format([dyn(true)])', 'error during formatting: octal clause can only be used on integers, was given bool'],
  ['"%b".format([true])', '1'],
  ['"%f".format(["NaN"])', 'NaN'],
  ['"%f".format(["Infinity"])', '∞'],
  ['"%e".format(["-Infinity"])', '    -∞'],
  [
    '"%f".format(["constructor"])',
    'error during formatting: fixed-point clause can only be used on doubles, was given string',
  ],
  ['"%f".format(["x"])', 'error during formatting: fixed-point clause can only be used on doubles, was given string'],
  ['"%d%%".format([5])', '5%'],
  ['"%%d".format([])', '%d'],
  ['"%d".format([1u])', '1'],
  ['"%.3d".format([5])', '5'],
  ['"%.3s".format(["abcdef"])', 'abcdef'],
];

/** Formats that no expression may have, with the message and its column. */
const refused: readonly (readonly [text: string, message: string, column: number])[] = [
  ['"%q".format([1])', 'could not parse formatting clause: unrecognized formatting clause "q"', 12],
  ['"%".format([1])', 'unexpected end of string', 11],
  ['"%s %s".format([1])', 'index 1 out of range', 15],
  [
    '"%.".format([1])',
    'could not parse formatting clause: error while parsing precision: could not find end of precision specifier',
    12,
  ],
  [
    '"%.s".format([1])',
    'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
    13,
  ],
  ['"a".format([1])', 'too many arguments supplied to string.format (expected 0, got 1)', 11],
  ['"%d".format([1.5])', 'error during formatting: decimal clause can only be used on integers, was given double', 14],
  [
    '"%x".format([{1: 2}])',
    'error during formatting: only integers, byte buffers, and strings can be formatted as hex, was given map',
    14,
  ],
  [
    '"%s".format([optional.of(1)])',
    'error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type',
    25,
  ],
  ['"%f".format([1])', 'error during formatting: fixed-point clause can only be used on doubles, was given int', 14],
];

function valueOf(text: string): unknown {
  const program = compileProgram(text, { environment: environmentOfNew(36), variables: new Map() });
  const { value } = program.run([], 1_000_000, meterFor(1_000_000));
  return value instanceof Failure ? value.message : value;
}

describe('texts of values', () => {
  for (const [text, value] of values)
    it(`are those of kube-apiserver: ${text}`, () => assert.equal(valueOf(text), value));

  for (const [text, message, column] of refused) {
    it(`are refused where a format does not fit its values: ${text}`, () => {
      const why = `compilation failed: ERROR: <input>:1:${column}: ${message}\n`;
      assert.throws(
        () => valueOf(text),
        (error) => error instanceof ExpressionError && error.message.startsWith(why),
      );
    });
  }
});
