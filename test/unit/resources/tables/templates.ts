import type { JsonObject } from '../../../../src/meta/json-value.ts';

/** Two containers, one with a digest in its image. */
export const containers = [
  { name: 'c1', image: 'img:1' },
  { name: 'c2', image: 'reg/img2@sha256:abc' },
];

/** A pod template that `simpleSelector` matches. */
export const template = { metadata: { labels: { a: 'b' } }, spec: { containers } };

/** A pod template that `mixedSelector` matches. */
export const labelledTemplate = {
  metadata: { labels: { z: '1', a: 'b', k: 'x', m: 'r', b: '', o: 'one' } },
  spec: { containers },
};

/** The pod template of a job. */
export const jobTemplate = { spec: { restartPolicy: 'Never', containers } };

/** A selector of one label. */
export const simpleSelector = { matchLabels: { a: 'b' } };

/** A selector with every operator. */
export const mixedSelector: JsonObject = {
  matchLabels: { z: '1', a: 'b' },
  matchExpressions: [
    { key: 'k', operator: 'In', values: ['y', 'x'] },
    { key: 'm', operator: 'NotIn', values: ['q', 'p'] },
    { key: 'b', operator: 'Exists' },
    { key: 'n', operator: 'DoesNotExist' },
    { key: 'o', operator: 'In', values: ['one'] },
  ],
};
