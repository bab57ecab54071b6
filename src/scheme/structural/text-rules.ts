import type { JsonObject } from '../../meta/json-value.ts';
import { numberAt, stringAt } from '../../meta/read-field.ts';
import type { FieldError } from '../../status/field-error.ts';
import { compilePattern } from './compile-pattern.ts';
import { broken, type Effort, oversized, type Rule, wrongType } from './value-check.ts';
import { isOfFormat } from '../../meta/value-format.ts';
import { memoizeText } from '../../meta/memoize.ts';

/** A demand on strings, and the text after `should` in the error of a value that breaks it. */
type TextDemand = readonly [isMet: (text: string, effort: Effort) => boolean, why: string];

/** The rules of a schema for strings: lengths and pattern. */
export function textRules(schema: JsonObject): Rule[] {
  const [most, least] = [numberAt(schema, 'maxLength'), numberAt(schema, 'minLength')];
  const demands: TextDemand[] = [
    ...(most === undefined ? [] : [[(text: string) => isAtMost(text, most), `be at most ${most} chars long`] as const]),
    ...(least === undefined
      ? []
      : [[(text: string) => least <= 0 || !isAtMost(text, least - 1), `be at least ${least} chars long`] as const]),
    ...patternDemands(stringAt(schema, 'pattern')),
  ];
  const rule: Rule = (value, check) => {
    // The first one only, as in kube-apiserver.
    const { effort } = check.report;
    const demand = typeof value === 'string' && demands.find(([isMet]) => !isMet(value, effort));
    if (!demand) return;
    if (most === undefined || demand !== demands[0]) return broken(check, value, demand[1]);
    oversized(check, value, demand[1], (path) => longText(path, most));
  };
  return demands.length > 0 ? [rule] : [];
}

/** The error of a string over its limit. */
function longText(field: string, most: number): FieldError {
  return { reason: 'FieldValueTooLong', field, message: `Too long: may not be longer than ${most}` };
}

/** Reports whether a text has at most this many characters. */
function isAtMost(text: string, most: number): boolean {
  if (text.length <= most) return true;
  if (text.length > 2 * most) return false;
  return Array.from(text).length <= most;
}

/** The demands of a pattern. It has the syntax of kube-apiserver, and also runs in linear time. */
function patternDemands(pattern: string): TextDemand[] {
  if (pattern === '') return [];
  const { matcher, steps } = compilePattern(pattern);
  const isAffordable = (text: string, effort: Effort): boolean => (effort.matching -= text.length * steps) >= 0;
  return [
    [isAffordable, `be shorter, or the pattern simpler: there is too much to match with '${pattern}'`],
    [remembered((text) => matcher?.test(text) ?? false), `match '${pattern}'`],
  ];
}

/**
 * The limits of the texts that are remembered for a pattern: texts of objects are mostly few and
 * short.
 */
const rememberedTexts = 64;
const rememberedLength = 64;

/**
 * A test that remembers its last results. Matching takes microseconds, and the same texts come with
 * each write of an object, and with the next object.
 */
function remembered(test: (text: string) => boolean): (text: string) => boolean {
  return memoizeText(test, { most: rememberedTexts, longest: rememberedLength });
}

/** The rule of a format for strings. */
export function formatRules(format: string): Rule[] {
  if (format === '') return [];
  return [
    (value, check) => {
      if (typeof value !== 'string' || isOfFormat(format, value)) return;
      const { isDetailed } = check.report;
      const why = `${format}: ${JSON.stringify(value)}`;
      if (isDetailed) wrongType(check, value, why);
      else broken(check, value, why, 'must be of type');
    },
  ];
}
