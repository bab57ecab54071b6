import type { JsonObject } from '../../meta/json-value.ts';
import { isTrue, numberAt } from '../../meta/read-field.ts';
import { broken, type Rule } from './value-check.ts';

/** A rule for numbers that holds if `isMet`. */
function numberRule(isMet: (value: number) => boolean, why: string): Rule {
  return (value, check) => {
    if ((typeof value === 'number' || typeof value === 'bigint') && !isMet(Number(value))) broken(check, value, why);
  };
}

/** The rules of a schema for numbers: steps and bounds. */
export function numberRules(schema: JsonObject): Rule[] {
  const [step, most, least] = ['multipleOf', 'maximum', 'minimum'].map((name) => numberAt(schema, name));
  const [below, above] = [isTrue(schema, 'exclusiveMaximum'), isTrue(schema, 'exclusiveMinimum')];
  return [
    ...(step === undefined || step === 0
      ? []
      : [numberRule((value) => Number.isInteger(value / step), `be a multiple of ${step}`)]),
    ...(most === undefined
      ? []
      : [
          numberRule(
            (value) => value < most || (value === most && !below),
            `be less than ${below ? '' : 'or equal to '}${most}`,
          ),
        ]),
    ...(least === undefined
      ? []
      : [
          numberRule(
            (value) => value > least || (value === least && !above),
            `be greater than ${above ? '' : 'or equal to '}${least}`,
          ),
        ]),
  ];
}
