import assert from 'node:assert/strict';
import { spellSignerFlags } from '../../../src/controllers/certificates/spell-signer-flags.ts';

describe('the flags of signers', () => {
  it('may be spelled as kube-controller-manager spells them, or in the words of the other set', () => {
    const given = [
      '--cluster-signing-kube-apiserver-client-cert-file=a',
      '--cluster-signing-kubelet-client-key-file',
      'b',
      '--cluster-signing-nodeagent-serving-cert-file=c=d',
      '--cluster-signing-legacy-unknown-cert-file=e',
      '--cluster-signing-client-cert-file=f',
    ];
    assert.deepEqual(spellSignerFlags(given), [
      '--cluster-signing-client-cert-file=a',
      '--cluster-signing-node-client-key-file',
      'b',
      '--cluster-signing-node-serving-cert-file=c=d',
      '--cluster-signing-legacy-unknown-cert-file=e',
      '--cluster-signing-client-cert-file=f',
    ]);
  });
});
