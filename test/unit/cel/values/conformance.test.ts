import assert from 'node:assert/strict';
import {
  getCheckingSuite,
  getConformanceSuite,
  getParsingSuite,
  type IncrementalTest,
  type IncrementalTestSuite,
} from '@bufbuild/cel-spec/testdata/tests.js';
import { ExpressionError } from '../../../../src/cel/values/expression.ts';
import { fullEnvironment } from '../../../../src/cel/functions/environment.ts';
import { meterFor } from '../../../../src/cel/values/work-meter.ts';
import { compileProgram, type Program } from '../../../../src/cel/program.ts';
import type { CelType } from '../../../../src/cel/types/cel-type.ts';
import { type CelValue, Failure } from '../../../../src/cel/values/cel-value.ts';
import { showValue, typeOfCase, valueOfCase } from '../conformance-values.ts';

type Case = IncrementalTest['original'];

/** Suites of libraries and of messages, which rules do not have. */
const otherSuites: ReadonlySet<string> = new Set([
  'block_ext',
  'dynamic',
  'encoders_ext',
  'enums',
  'math_ext',
  'namespace',
  'proto2',
  'proto2_ext',
  'proto3',
  'unknowns',
  'wrappers',
]);

/** Messages in the text of a case. */
const message = /TestAllTypes|google\.protobuf\.(?!Timestamp|Duration)|GlobalEnum|NestedEnum|\b[A-Z]\w*\s*\{/;

/** Rules are always checked, and have no container. */
function isOfRules({ expr, disableCheck, disableMacros, container }: Case): boolean {
  return !message.test(expr) && !disableCheck && !disableMacros && container === '';
}

/**
 * Cases of newer versions of CEL than that of kube-apiserver 1.36. So are all cases of `format`,
 * which `format-text.test.ts` tests instead.
 */
const newer: ReadonlySet<string> = new Set(['indexof_out_of_range', 'lastindexof_out_of_range']);

/** What a case declares, and what it expects; undefined if it needs messages. */
interface Expectation {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly values: readonly CelValue[];
  /** As `showValue` shows it, or 'error'. */
  readonly result: string;
}

function expectationOf(test: Case): Expectation | undefined {
  const variables = new Map<string, CelType>();
  for (const { name, declKind } of test.typeEnv) {
    const type = declKind.case === 'ident' && declKind.value.type ? typeOfCase(declKind.value.type) : undefined;
    if (!type) return undefined;
    variables.set(name, type);
  }
  const given = new Map<string, CelValue>();
  for (const [name, { kind }] of Object.entries(test.bindings)) {
    const value = kind.case === 'value' ? valueOfCase(kind.value) : undefined;
    if (value === undefined) return undefined;
    given.set(name, value);
  }
  const result = resultOf(test.resultMatcher);
  if (result === undefined) return undefined;
  return { variables, values: [...variables.keys()].map((name) => given.get(name) ?? null), result };
}

function resultOf(matcher: Case['resultMatcher']): string | undefined {
  if (matcher.case === 'evalError' || matcher.case === 'anyEvalErrors') return 'error';
  if (matcher.case === undefined) return showValue(true);
  const wanted = matcher.case === 'typedResult' ? matcher.value.result : undefined;
  const value = matcher.case === 'value' ? matcher.value : wanted;
  const result = value && valueOfCase(value);
  return result === undefined ? undefined : showValue(result);
}

function compile(text: string, variables: ReadonlyMap<string, CelType> = new Map()): Program {
  return compileProgram(text, { environment: fullEnvironment(), variables, mixedLiterals: true });
}

function evaluate(test: Case, { variables, values }: Expectation): string {
  try {
    const { value } = compile(test.expr, variables).run(values, 1_000_000, meterFor(1_000_000));
    return value instanceof Failure ? 'error' : showValue(value);
  } catch (error) {
    if (error instanceof ExpressionError && test.resultMatcher.case !== 'value') return 'error';
    throw error;
  }
}

function casesOf(suite: IncrementalTestSuite): readonly IncrementalTest[] {
  return [...suite.tests, ...suite.suites.flatMap(casesOf)];
}

describe('the public conformance cases of CEL', () => {
  let count = 0;
  for (const suite of getConformanceSuite().suites.filter(({ name }) => !otherSuites.has(name))) {
    const cases = casesOf(suite).flatMap(({ original }) => {
      const isKnown = isOfRules(original) && !newer.has(original.name) && !original.expr.includes('.format(');
      const expectation = isKnown ? expectationOf(original) : undefined;
      return expectation ? [{ original, expectation }] : [];
    });
    count += cases.length;
    it(`hold: ${suite.name} (${cases.length})`, () => {
      for (const { original, expectation } of cases) {
        assert.equal(evaluate(original, expectation), expectation.result, `${original.name}: ${original.expr}`);
      }
    });
  }

  it('are many', () => assert.ok(count > 1_200, String(count)));
});

/** Expressions that cel-go refuses without the options that kube-apiserver sets. */
const optional = /existsOne|\d [<>]=? \d/;

/** An expression of cel-go's tests that it refuses in its check. */
function isRefused({ original, error }: IncrementalTest): boolean {
  return error?.startsWith('ERROR: <input>') === true && !message.test(original.expr) && !optional.test(original.expr);
}

describe('the messages of cel-go', () => {
  // The variables of the first suite have messages as types.
  const checked = casesOf(getCheckingSuite()).filter(({ original }) => !/\b[xyz]\b/.test(original.expr));
  const refused = [...checked, ...casesOf(getParsingSuite())].filter(isRefused);

  it(`are the same (${refused.length})`, () => {
    assert.ok(refused.length > 60);
    for (const { original, error } of refused) {
      assert.throws(() => compile(original.expr), { message: `compilation failed: ${error}` }, original.expr);
    }
  });
});
