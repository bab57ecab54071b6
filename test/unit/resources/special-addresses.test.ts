import assert from 'node:assert/strict';
import { checkNotSpecial } from '../../../src/resources/rules/fields/ip.ts';

/** What is said of addresses, in every spelling in which they can be written. */
const addresses: Readonly<Record<string, readonly string[]>> = {
  '': [
    '10.0.0.1',
    '0.0.0.1',
    '1.127.0.1',
    '169.253.255.255',
    '169.255.0.0',
    '224.0.1.0',
    '225.0.0.1',
    '::2',
    '::ffff:10.0.0.1',
    '2001:db8::1',
    'fe7f::1',
    'fec0::1',
    'ff01::1',
    'ff03::1',
    'fe8::1',
  ],
  unspecified: ['0.0.0.0', '::', '0::0', '0:0:0:0:0:0:0:0', '0000::', '::ffff:0.0.0.0'],
  loopback: ['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1', '0::01', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  'link-local range': ['169.254.0.0', '169.254.255.255', 'fe80::', 'FE80::1', 'fe9f::1', 'feaf::1', 'FEBF::1'],
  'link-local multicast': ['224.0.0.0', '224.0.0.255', 'ff02::', 'FF02::1'],
};

describe('addresses that mean something else on every machine', () => {
  for (const [said, texts] of Object.entries(addresses)) {
    for (const text of texts) {
      it(`${text} is ${said === '' ? 'none of them' : said}`, () => {
        const errors = checkNotSpecial('ip', text);
        assert.equal(errors.length, said === '' ? 0 : 1);
        for (const { message } of errors) assert.ok(message.includes(said), message);
      });
    }
  }
});
