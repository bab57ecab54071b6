import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import type { Random } from '../../robustness/random.ts';
import { itemPath } from '../bodies/base-object.ts';
import { isInner } from '../bodies/corrupted.ts';
import { randomObject } from '../bodies/random-object.ts';
import { chance, some } from '../choices.ts';
import { type JsonPath, pathsIn, valueAt, withValueAt } from '../json-paths.ts';
import type { SequenceStep } from '../sequence.ts';
import { type Area, leftoversOf } from './area.ts';

/** Dry runs of creates, or of updates, in which one field takes values on both sides of its limits. */
export const borders: Area = {
  name: 'borders',
  draw(random, subject) {
    const { collection, key } = subject;
    const density = random.pick([0.05, 0.1, 0.2]);
    const body = randomObject(random, subject, { growth: 5, density });
    // Some kinds have no fields of their own.
    const path = random.pick([['metadata', 'labels'], ...pathsIn(body).filter(isInner)]);
    const creates = chance(random, 0.6);
    const query = { dryRun: 'All' };
    const tries = valuesAround(random, valueAt(body, path)).map((value): SequenceStep => {
      if (creates) return { method: 'POST', path: collection, query, body: withField(body, path, value) };
      return { method: 'PUT', path: itemPath(subject), query, edits: [{ path, value }] };
    });
    const steps: SequenceStep[] = creates ? tries : [{ method: 'POST', path: collection, body }, ...tries];
    return { area: 'borders', kind: key, steps, leftovers: leftoversOf(subject, [itemPath(subject)]) };
  },
};

/** The path is inside the object, which stays one. */
function withField(body: JsonObject, path: JsonPath, value: JsonValue): JsonObject {
  return withValueAt(body, path, value) as JsonObject;
}

const numbers: readonly JsonValue[] = [
  -1,
  0,
  1,
  2,
  100,
  101,
  65_535,
  65_536,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_648,
  1.5,
  1e3,
  '1',
  null,
];

const texts: readonly JsonValue[] = [
  '',
  ' ',
  'a',
  '-a',
  'a.b',
  'a_b',
  'A',
  'a/b',
  '/a',
  '0',
  '-1',
  '100%',
  '101%',
  'é',
  'a'.repeat(63),
  'a'.repeat(64),
  'a'.repeat(253),
  'a'.repeat(254),
  1,
  null,
];

const flags: readonly JsonValue[] = [true, false, 'true', 0, null];

const containers: readonly JsonValue[] = [{}, [], null, [null], { a: null }, '', [{}, {}]];

function valuesAround(random: Random, value: JsonValue | undefined): JsonValue[] {
  if (typeof value === 'number') return some(random, numbers, 4, 9);
  if (typeof value === 'string') return some(random, texts, 4, 9);
  return some(random, typeof value === 'boolean' ? flags : containers, 2, 5);
}
