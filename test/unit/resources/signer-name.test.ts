import assert from 'node:assert/strict';
import { checkSignerName } from '../../../src/resources/certificates/certificatesigningrequests/signer-name.ts';

/** The beginnings of the errors of a name. */
function faultsOf(name: string): string[] {
  return checkSignerName('spec.signerName', name).map(({ message }) => message.replace(/: a lowercase.*$/, ''));
}

const long = 'x'.repeat(200);

describe('the name of a signer (spec 2.5)', () => {
  const good = ['example.com/s', 'example.com/namespace.name', `example.com/${long}.${long}`];
  for (const name of good) {
    it(`may be ${name.slice(0, 30)}`, () => assert.deepEqual(faultsOf(name), []));
  }

  it('has at most 571 characters', () => {
    const name = `a.b/${'x.'.repeat(283)}x`;
    assert.deepEqual(faultsOf(name), []);
    assert.deepEqual(faultsOf(`${name}x`), ['Too long: must have at most 571 bytes']);
  });

  it('is reported with its first invalid part', () => {
    assert.deepEqual(faultsOf('example.com/Q.y.R'), ['Invalid value: "Q.y.R": validating label "Q"']);
    assert.deepEqual(faultsOf('A_.B_/s'), ['Invalid value: "A_.B_": validating label "A_"']);
    assert.deepEqual(faultsOf('/s'), [
      'Invalid value: "": validating label ""',
      'Invalid value: "": should be a domain with at least two segments separated by dots',
    ]);
    assert.deepEqual(faultsOf(''), ['Required value: signerName must be provided']);
  });
});
