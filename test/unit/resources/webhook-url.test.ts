import assert from 'node:assert/strict';
import { checkWebhookUrl } from '../../../src/resources/rules/webhooks/webhook-url.ts';

/** URLs, and what is wrong with each: its parts, or, as `parse`, that it is none. */
const urls: readonly (readonly [url: string, problems: readonly string[]])[] = [
  ['https://a', []],
  ['https://a:', []],
  ['https://a:b:1', []],
  ['https://[::1]:1/a b', []],
  ['https://a"b', []],
  ['https://é%c3', []],
  ['HTTPS://a', []],
  ['', ['scheme', 'host']],
  [' ', ['scheme', 'host']],
  ['/a:b', ['scheme', 'host']],
  ['//a', ['scheme']],
  ['https:a', ['host']],
  ['mailto:%', ['scheme', 'host']],
  ['http://a?%', ['scheme', 'query']],
  ['https://u:p@a/#b', ['user', 'fragment']],
  ['https://a b', ['parse']],
  ['https://a%20b', ['parse']],
  ['https://a/%zz', ['parse']],
  ['https://a#%', ['parse']],
  ['https://a:1x', ['parse']],
  ['https://[::1', ['parse']],
  ['https://[::1]x', ['parse']],
  ['https://u p@a', ['parse']],
  ['https://u%zz@a', ['parse']],
  ['https://a\tb', ['parse']],
  [':a', ['parse']],
  ['1:b', ['parse']],
];

const words = /parse|scheme|host\b(?= must)|user|fragment|query/;

describe('the URL of a webhook', () => {
  for (const [url, problems] of urls) {
    it(`${JSON.stringify(url)} has ${problems.length === 0 ? 'all that is needed' : `problems: ${problems.join()}`}`, () => {
      const found = checkWebhookUrl('url', url).map(({ message }) => words.exec(message)?.[0]);
      assert.deepEqual(found, problems);
    });
  }
});
