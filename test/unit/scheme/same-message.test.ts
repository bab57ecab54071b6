import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { sameMessage } from '../../../src/scheme/same-message.ts';

type Case = readonly [what: string, message: string, left: JsonObject | undefined, right: JsonObject | undefined];

const limits = (memory: string): JsonObject => ({ containers: [{ name: 'c', resources: { limits: { memory } } }] });
const spec = 'api.core.v1.PodSpec';

const same: readonly Case[] = [
  ['amounts in other units', spec, limits('1Gi'), limits('1073741824')],
  ['an empty map and none', spec, { nodeSelector: {} }, {}],
  ['an empty list and none', spec, { tolerations: [] }, { tolerations: null }],
  ['an empty message that every object has and none', 'api.core.v1.Pod', { spec: {} }, {}],
  ['nothing', spec, undefined, undefined],
];

const different: readonly Case[] = [
  ['amounts', spec, limits('1Gi'), limits('1G')],
  ['amounts by name', spec, { overhead: { cpu: '1' } }, { overhead: { memory: '1' } }],
  ['an empty optional message and none', spec, { affinity: {} }, {}],
  ['an empty optional message in a list and none', spec, { containers: [{ lifecycle: {} }] }, { containers: [{}] }],
  ['an optional number and none', spec, { priority: 0 }, {}],
  ['an empty message and none', 'api.meta.v1.LabelSelector', {}, undefined],
  ['numbers of items', spec, { tolerations: [{ key: 'a' }] }, { tolerations: [{ key: 'a' }, { key: 'a' }] }],
];

describe('the comparison of messages', () => {
  for (const [what, message, left, right] of same) {
    it(`takes ${what} for the same`, () => {
      assert.ok(sameMessage(message)(left, right));
      assert.ok(sameMessage(message)(right, left));
    });
  }
  for (const [what, message, left, right] of different) {
    it(`distinguishes ${what}`, () => {
      assert.ok(!sameMessage(message)(left, right));
      assert.ok(!sameMessage(message)(right, left));
    });
  }
});
