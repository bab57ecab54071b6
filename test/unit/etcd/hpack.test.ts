import assert from 'node:assert/strict';
import { decodeFields, encodeFields } from '../../../src/etcd/grpc/hpack.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const read = (block: Buffer): Record<string, string> => Object.fromEntries(decodeFields(block));

describe('A header block', () => {
  // RFC 7541, appendix C, as far as no dynamic table is needed.
  const blocks: readonly (readonly [what: string, block: string, fields: Record<string, string>])[] = [
    [
      'literal, to be indexed',
      '400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572',
      { 'custom-key': 'custom-header' },
    ],
    ['literal, not to be indexed', '040c 2f73 616d 706c 652f 7061 7468', { ':path': '/sample/path' }],
    ['literal, never to be indexed', '1008 7061 7373 776f 7264 0673 6563 7265 74', { password: 'secret' }],
    ['static', '82', { ':method': 'GET' }],
    [
      'compressed',
      '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
      { ':method': 'GET', ':scheme': 'http', ':path': '/', ':authority': 'www.example.com' },
    ],
    ['behind a change of the table', '203f e11f 88', { ':status': '200' }],
    ['at the end of the static table', '7d 02 6f6b', { 'www-authenticate': 'ok' }],
  ];
  for (const [what, block, fields] of blocks) {
    it(`is read: ${what}`, () => assert.deepEqual(read(hex(block)), fields));
  }

  it('is read as it was written, short and long', () => {
    const fields = { ':path': '/a', te: 'trailers', 'x-long': 'v'.repeat(300), 'x-none': '' };
    assert.deepEqual(read(encodeFields(fields)), fields);
  });

  for (const [what, block] of [
    ['an index behind the static table', 'be'],
    ['the index zero', '80'],
    ['a text that is cut off', '040c 2f73'],
    ['a number without an end', '7fff ffff ffff ff'],
    ['padding that is no padding', '0481 18'],
    ['more padding than a byte', '0483 1fff ff'],
    ['the end mark inside a text', '0485 ffff ffff ff'],
  ] as const) {
    it(`is refused: ${what}`, () => assert.throws(() => decodeFields(hex(block)), { name: 'HpackError' }));
  }
});
