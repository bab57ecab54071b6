import assert from 'node:assert/strict';
import { podCertificateSigning } from '../../../src/admission/pod-certificate-signing.ts';
import { clusterTrustBundleAttest } from '../../../src/admission/plugins/cluster-trust-bundle-attest.ts';
import type { ResourceRight } from '../../../src/admission/resource-right.ts';
import { admit, identifiers, writeOf } from './attributes.ts';
import { pluginContext } from './plugin-context.ts';

const spec = { signerName: 'example.com/signer' };

/** Allows the named rights, as `verb name`. */
const allowing = (...rights: readonly string[]) =>
  pluginContext({
    identifiers,
    decide: async ({ verb, name }: ResourceRight) => ({ isAllowed: rights.includes(`${verb} ${name}`), reason: '' }),
  });

describe('rights on signers', () => {
  it('are needed to set the certificate of a pod, but not to deny it', async () => {
    const write = (status: object, old: object = {}) =>
      writeOf(
        'podcertificaterequests.certificates.k8s.io',
        { metadata: { name: 'r' }, spec, status: { ...status } },
        { subresource: 'status', oldObject: { metadata: { name: 'r' }, spec, status: { ...old } } },
      );
    const signing = podCertificateSigning(allowing());
    await admit(signing, write({ conditions: [] }));
    await assert.rejects(
      admit(signing, write({ certificateChain: 'x' })),
      /spec\.signerName: Forbidden: User "tester" is not permitted to "sign" for signer "example\.com\/signer"/,
    );
    await admit(podCertificateSigning(allowing('sign example.com/*')), write({ certificateChain: 'x' }));
  });

  it('are needed to write the roots of a signer, but not to change their owners', async () => {
    const bundle = (trustBundle: string, more: object = {}) => ({
      metadata: { name: 'example.com:signer:a', ...more },
      spec: { ...spec, trustBundle },
    });
    const write = (object: ReturnType<typeof bundle>, oldObject?: ReturnType<typeof bundle>) =>
      writeOf('clustertrustbundles.certificates.k8s.io', object, { oldObject });
    const attest = clusterTrustBundleAttest(allowing());
    await assert.rejects(
      async () => admit(attest, write(bundle('x'))),
      /user not permitted to attest for signerName "example\.com\/signer"/,
    );
    await admit(attest, write(bundle('x', { finalizers: ['example.com/f'] }), bundle('x')));
    await assert.rejects(async () => admit(attest, write(bundle('y'), bundle('x'))));
    await admit(clusterTrustBundleAttest(allowing('attest example.com/signer')), write(bundle('x')));
  });
});
