import { tlsGroups } from '../pki/tls-settings.ts';
import { type FlagType, FlagValueError, list } from './flag-types.ts';

/** The accepted numbers of `--tls-curve-preferences`. */
export const curveNumbers: readonly string[] = Object.keys(tlsGroups);

/** The groups of a key exchange: their numbers in the flag, OpenSSL's names as values. */
export const tlsCurves: FlagType<readonly string[]> = {
  placeholder: 'numbers',
  parse: (given) => {
    const numbers = list('numbers').parse(given);
    const unknown = numbers.find((number) => !Object.hasOwn(tlsGroups, number));
    if (unknown !== undefined) throw new FlagValueError(`${unknown} is not one of ${curveNumbers.join(', ')}`);
    return numbers.flatMap((number) => tlsGroups[number] ?? []);
  },
  format: (names) => names.map((name) => curveNumbers.find((number) => tlsGroups[number] === name)).join(','),
  join: (lists) => lists.flat(),
};
