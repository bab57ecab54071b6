import assert from 'node:assert/strict';
import {
  type Arbitrary,
  array,
  assert as holds,
  boolean,
  constantFrom,
  dictionary,
  property,
  record,
} from 'fast-check';
import { encodeYaml } from '../../../src/codec/encode-yaml.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';
import { story, type Story } from './story.ts';

const word = constantFrom('a', 'b', 'c');
const key = constantFrom('a', 'b', 'c', '__proto__', 'constructor');

const containerWith = (value: Arbitrary<string>): Arbitrary<JsonObject> =>
  record({ name: word, image: value, args: array(value, { minLength: 1, maxLength: 2 }) }, { requiredKeys: ['name'] });

const templateWith = (value: Arbitrary<string>): Arbitrary<JsonObject> =>
  record(
    {
      metadata: record(
        {
          labels: dictionary(key, value),
          finalizers: array(word, { maxLength: 3 }).map((items) => [...new Set(items)]),
        },
        { requiredKeys: [] },
      ),
      template: record({
        spec: record({
          containers: array(containerWith(value), { minLength: 1, maxLength: 3 }).map((items) => [
            ...new Map(items.map((item) => [item['name'], item])).values(),
          ]),
        }),
      }),
    },
    { requiredKeys: [] },
  );
const template = templateWith(word);
const otherTemplate = templateWith(constantFrom('x', 'y', 'z'));

interface ScriptStep {
  readonly manager: string;
  readonly applies: boolean;
  readonly value: JsonObject;
}
const script: Arbitrary<ScriptStep[]> = array(record({ manager: word, applies: boolean(), value: template }), {
  maxLength: 6,
});

const yamlOf = (value: JsonObject): string => encodeYaml(value);

function played(steps: readonly ScriptStep[]): Story {
  const s = story({ v1: { schema: schemaOf('api.core.v1.PodTemplate') } });
  for (const { manager, applies, value } of steps) {
    if (applies) s.apply(manager, yamlOf(value), { force: true });
    else s.patch(manager, yamlOf(value));
  }
  return s;
}

const isValue = (path: string): boolean => /\.(?:image|args|labels\.[^.]*)$/.test(path);

/** Each run plays a whole story, so that a few say much. */
const runs = { numRuns: 40 };

describe('apply, after any story', () => {
  it('does nothing the second time', () =>
    holds(
      property(script, template, (steps, value) => {
        const s = played(steps);
        s.apply('me', yamlOf(value), { force: true });
        const { object, owners, writes } = s;
        s.apply('me', yamlOf(value));
        assert.deepEqual([s.object, s.owners, s.writes], [object, owners, writes]);
      }),
      runs,
    ));

  it('ends by force as the sole owner of the values that it changes', () =>
    holds(
      property(script, otherTemplate, (steps, value) => {
        const s = played(steps);
        s.apply('me', yamlOf(value), { force: true });
        const { me: mine = [], ...others } = s.owners;
        const theirs = new Set(Object.values(others).flat());
        assert.deepEqual(
          mine.filter((path) => isValue(path) && theirs.has(path)),
          [],
        );
      }),
      runs,
    ));

  it('lets others apply the rest without a conflict', () =>
    holds(
      property(script, template, (steps, value) => {
        const s = played(steps);
        s.apply('me', yamlOf(value), { force: true });
        s.apply('you', yamlOf(value));
        assert.deepEqual(s.owners['you'], s.owners['me']);
      }),
      runs,
    ));

  it('takes away what it gave, when nobody else has it', () =>
    holds(
      property(template, (value) => {
        const s = played([]);
        s.update('first', 'metadata: {name: p}');
        const { object } = s;
        s.apply('me', yamlOf(value));
        s.apply('me', 'metadata: {name: p}');
        assert.deepEqual(s.object, object);
      }),
      runs,
    ));

  it('pollutes nothing', () =>
    holds(
      property(script, (steps) => {
        played(steps);
        assert.deepEqual(Object.keys(Object.prototype), []);
      }),
      runs,
    ));
});
