import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { addressPolicy, networkError } from '../../../src/outbound/address-policy.ts';

const nothing = addressPolicy({ allowedNetworks: [], isOwnPort: () => false });

describe('the policy of addresses', () => {
  for (const address of ['10.0.0.1', '192.0.2.1', '8.8.8.8', '2001:db8::1', 'fd00::1', '::ffff:10.0.0.1']) {
    it(`allows ${address}`, () => assert.equal(nothing(address, 80), true));
  }

  const refused = [
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    'fe80::1',
    'febf::1',
    'fe80::1%eth0',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::FFFF:169.254.1.1',
    '64:ff9b::127.0.0.1',
    'localhost',
    '127.1',
    '',
  ];
  for (const address of refused) it(`refuses ${address}`, () => assert.equal(nothing(address, 80), false));

  it('allows what is in an allowed network, in both forms of an address', () => {
    const allows = addressPolicy({ allowedNetworks: ['127.0.0.1/32', 'fe80::/16'], isOwnPort: () => true });
    assert.equal(allows('127.0.0.1', 6443), true);
    assert.equal(allows('::ffff:127.0.0.1', 6443), true);
    assert.equal(allows('127.0.0.2', 6443), false);
    assert.equal(allows('fe80::1', 6443), true);
  });

  it('refuses the port of the server on the addresses of its machine', () => {
    const allows = addressPolicy({ allowedNetworks: [], isOwnPort: (port) => port === 6443 });
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address } of own.filter(({ internal }) => !internal)) {
      assert.equal(allows(address, 6443), false, address);
    }
    assert.equal(allows('192.0.2.77', 6443), true);
  });

  it('says which texts are no networks', () => {
    for (const text of ['10.0.0.0/8', '::/0', '127.0.0.1/32']) assert.equal(networkError(text), undefined);
    for (const text of ['10.0.0.0', '10.0.0.0/33', 'fe80::%1/10', '::/129', 'a/8', '10.0.0.0/8/8', '/8', '10.0.0.0/']) {
      assert.match(networkError(text) ?? '', /^use a network like /, text);
    }
  });
});
