import assert from 'node:assert/strict';
import { imageTag } from '../../../src/resources/rules/fields/image-reference.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('image references', () => {
  const tags: readonly (readonly [image: string, tag: string])[] = [
    ['nginx', 'latest'],
    ['nginx:latest', 'latest'],
    ['nginx:1.19', '1.19'],
    ['a_b/c__d/e--f.g', 'latest'],
    ['localhost:5000/x', 'latest'],
    ['LOCALHOST:5000/x:2', '2'],
    ['host.example:80/x/y:t', 't'],
    [`nginx@${digest}`, ''],
    [`nginx:1@${digest}`, '1'],
    [`nginx:latest@${digest}`, 'latest'],
    ['x'.repeat(237), 'latest'],
    [`a/${'x'.repeat(243)}`, 'latest'],
    [`nginx:${'t'.repeat(128)}`, 't'.repeat(128)],
  ];
  for (const [image, tag] of tags)
    it(`asks for ${tag || 'no tag'} with ${image}`, () => assert.equal(imageTag(image), tag));

  const none = [
    '',
    'Nginx',
    'a b',
    ' nginx',
    'nginx\n',
    'a//b',
    '/a',
    'a/',
    'a___b',
    'a..b',
    '-a',
    'a+b',
    'h:x/y',
    '[::1]/x',
  ];
  const tooLong = ['x'.repeat(238), `a/${'x'.repeat(244)}`, `nginx:${'t'.repeat(129)}`, `a${'-a'.repeat(100_000)}`];
  for (const image of [
    ...none,
    ...tooLong,
    'a'.repeat(64),
    'nginx@sha256:abc',
    'nginx:-1',
    'nginx:latest@sha256:abc',
  ]) {
    it(`takes ${JSON.stringify(image.slice(0, 40))} (${image.length} characters) for no reference`, () => {
      assert.equal(imageTag(image), '');
    });
  }
});
