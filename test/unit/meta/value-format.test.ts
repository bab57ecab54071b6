import assert from 'node:assert/strict';
import { cpuMsOf } from '../cpu-time.ts';
import { isOfFormat } from '../../../src/meta/value-format.ts';

/** Formats, with texts that kube-apiserver 1.36 accepts and others that it refuses. */
const formats: readonly (readonly [format: string, accepted: readonly string[], refused: readonly string[]])[] = [
  [
    'hostname',
    ['a', 'a.bc', 'é.com', '☃.net', 'A.COM', 'a1'],
    [
      'a_b',
      'a.b.',
      '-a',
      'a.b',
      '1.2.3.4',
      'a-.bc',
      '',
      'a..bc',
      'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'a.1bc',
    ],
  ],
  ['ipv4', ['01.2.3.4', '::ffff:1.2.3.4', '1.2.3.4', '::1.2.3.4'], ['1.2.3', '256.1.1.1', '1.2.3.4 ']],
  ['ipv6', ['::1', '::ffff:1.2.3.4', '::01'], ['fe80::1%eth0', '1::2::3', '::1.2.3.04']],
  [
    'cidr',
    ['010.0.0.0/8', '10.0.0.0/08', '10.0.0.1/8', '::/0', '::ffff:1.2.3.4/100'],
    ['::/129', '10.0.0.0/+8', '10.0.0.0/33'],
  ],
  [
    'mac',
    [
      '00:00:5e:00:53:01',
      '02:00:5e:10:00:00:00:01',
      '00-00-5e-00-53-01',
      '0000.5e00.5301',
      '00:00:00:00:fe:80:00:00:00:00:00:00:02:00:5e:10:00:00:00:01',
      '0200.5e10.0000.0001',
    ],
    ['00:00-5e:00:53:01', '1:2:3:4:5:6'],
  ],
  ['uuid', ['123e4567e89b12d3a456426614174000', '123E4567-E89B-12D3-A456-426614174000'], ['x']],
  ['uuid3', ['123e4567-e89b-32d3-a456-426614174000'], ['123e4567-e89b-42d3-a456-426614174000']],
  ['uuid4', ['123e4567-e89b-42d3-a456-426614174000'], ['123e4567-e89b-42d3-c456-426614174000']],
  ['byte', ['YQ==', 'YWJj'], ['', 'YQ', 'YW=j', 'Y_J-', 'YQ==YQ==']],
  ['date', ['0000-01-01', '2020-02-29'], ['2020-02-30', '2020-1-1', '2020-01-01T00:00:00Z', '']],
  [
    'date-time',
    [
      '2020-01-01T00:00:00Z',
      '2020-01-01t00:00:00z',
      '2020-01-01T00:00:00.5Z',
      '2020-01-01T00:00:00x5Z',
      '2020-01-01T00:00:00+99:99',
      '2020-01-01T00:00:00ZT1',
    ],
    ['2020-01-01 00:00:00Z', '2020-01-01T24:00:00Z', '2020-01-01T00:00:60Z', '2020-01-01T00:00:00', ''],
  ],
  [
    'duration',
    [
      '1h',
      '1d',
      '1 day',
      '1.5d',
      '0',
      '-1h',
      '1h30m',
      '3 weeks 2 days',
      '1 nanosomething',
      '1 MS',
      '1hr',
      '1hours',
      '1 H',
      '+5s',
      '1.5h',
      '.5s',
      '1e3s',
    ],
    ['1x', '', 'x1sx', '99999999999999999999d', '5'],
  ],
  [
    'email',
    ['a@b', 'a@b.c', 'a <a@b>', '"a b"@c', 'a@[1.2.3.4]', ' a@b ', '<a@b>', 'é@b', 'a@é', 'a@b_c', '"A, B" <a@b>'],
    ['a@b.', '@b', 'a@', 'a b@c', 'a..b@c', '.a@b', 'a(x)@b', 'a@b,c@d', ''],
  ],
  [
    'uri',
    ['http://a', '/x', 'a:b', 'mailto:x@y', '/a b', '//a/b', '*', 'HTTP:', 'http:', '/a?%zz'],
    ['a', '', 'http://a b', 'http://a:x', 'http://[::1', '#a', 'http://a#b', '/%zz', '1a:b', '/\u007f'],
  ],
  ['isbn', ['0321751043', '978-0321751041', '0-321-75104-3', '0000000000'], ['032175104X', '0321751044']],
  ['isbn10', ['0321751043', '007462542X'], ['978-0321751041', '007462542x']],
  ['isbn13', ['978-0321751041'], ['9780321751042']],
  [
    'creditcard',
    ['4111 1111 1111 1111', '378282246310005', '6011111111111117', '4222222222222'],
    ['4111111111111112', '1', '1234567890128'],
  ],
  ['ssn', ['111-11-1111', '111 11 1111', '111 11-1111'], ['111111111', '111-111111']],
  ['hexcolor', ['#fff', 'fff', '#FFFFFF'], ['#ffff']],
  [
    'rgbcolor',
    ['rgb(1,2,3)', 'rgb( 1 , 2 , 3 )', 'rgb(199,20,1)'],
    ['rgb(01,2,3)', 'rgb(256,1,1)', 'RGB(1,2,3)', 'rgb(1,2)'],
  ],
  ['bsonobjectid', ['507f1f77bcf86cd799439011', '507F1F77BCF86CD799439011'], ['x']],
];

describe('formats of texts in custom objects', () => {
  for (const [format, accepted, refused] of formats) {
    it(`accept and refuse what kube-apiserver does: ${format}`, () => {
      assert.deepEqual(
        accepted.filter((text) => !isOfFormat(format, text)),
        [],
      );
      assert.deepEqual(
        refused.filter((text) => isOfFormat(format, text)),
        [],
      );
    });
  }

  // A text that is read again from each of its places takes minutes, one that is cut into its words seconds.
  for (const [format, part] of [
    ['duration', '1'],
    ['duration', '1x '],
    ['ipv4', '0'],
    ['cidr', '01.'],
    ['email', 'a '],
    ['email', '"a" '],
    ['email', 'a@'],
    ['email', '()'],
    ['byte', 'YWJj'],
    ['isbn', '1 '],
    ['creditcard', '4-'],
  ] as const) {
    it(`read 3 MB in one short turn: ${format} of ${part}`, async () => {
      const text = `${part.repeat(3_000_000 / part.length)}*`;
      const tookMs = await cpuMsOf(() => assert.equal(isOfFormat(format, text), false));
      assert.ok(tookMs < 100, `${tookMs.toFixed(0)} ms`);
    });
  }
});
