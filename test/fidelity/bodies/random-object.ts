import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { Schema } from '../../../src/scheme/model/schema.ts';
import type { Random } from '../../robustness/random.ts';
import { chance } from '../choices.ts';
import type { Subject } from '../subjects.ts';
import { baseObject } from './base-object.ts';
import { corrupted } from './corrupted.ts';
import { growObject } from './grow-object.ts';
import { randomMetadata } from './random-metadata.ts';
import { randomValue } from './random-value.ts';

/** How a random object is made. */
export interface ObjectOptions {
  readonly name?: string;
  /** How many fields are added to the smallest valid object. */
  readonly growth: number;
  /** Share of optional fields in what is added. */
  readonly density: number;
}

/** Objects that are wrong on purpose. */
const corruptShare = 0.03;

/** An object of a kind: the smallest valid one, random metadata, and some random fields; seldom broken. */
export function randomObject(random: Random, subject: Subject, { name, growth, density }: ObjectOptions): JsonObject {
  let object = baseObject(subject, name);
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  object['metadata'] = { ...metadata, ...randomMetadata(random, density) };
  for (let left = random.between(0, growth); left > 0; left--) {
    object = growObject(random, subject.schema, object, density);
  }
  return chance(random, corruptShare) ? corrupted(random, object) : object;
}

/** A status of a kind, if it has one. */
export function randomStatus(random: Random, { schema }: Subject): JsonValue {
  const status: Schema | undefined = schema.fields.get('status')?.schema;
  return status ? randomValue(random, status, 'status', random.pick([0.15, 0.3, 0.5]), 1) : {};
}
