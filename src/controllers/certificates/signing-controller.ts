import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { CertificateAuthority } from '../../pki/certificate-authority.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import type { ControllerOptions } from '../options/controller-flags.ts';
import { hasDecision } from '../../kinds/certificates/certificate-signing-request.ts';
import { type SigningRequest, signingRequests } from '../resources.ts';
import { type BuiltInSigner, builtInSigners } from '../../pki/built-in-signers.ts';
import { lazyModule } from '../../package/lazy-module.ts';

/**
 * Signs approved requests for the built-in signers, each with its own CA or the common one. A
 * signer without a CA is left to others.
 */
export const signingController: ControllerDefinition = {
  name: 'certificatesigningrequest-signing-controller',
  alias: 'csrsigning',
  account: 'certificate-controller',
  run,
};

/** The parser of certificates is large. */
const loadSigner = lazyModule(() => import('./sign-request.ts'));

async function run(
  { client, identifiers, options, controller }: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  const reference = signingRequests(identifiers);
  const resource = client.resource(reference);
  const signers = builtInSigners(identifiers);

  async function sign(request: SigningRequest): Promise<void> {
    const signer = signers.get(request.spec.signerName);
    const authority = signer && (await readAuthority(options, signer));
    if (!authority) return;
    const { signRequest } = await loadSigner();
    const result = await signRequest(request, signer, authority, options['cluster-signing-duration']);
    const { conditions = [], ...status } = request.status ?? {};
    const signed =
      'problem' in result
        ? { ...status, conditions: [...conditions, failedCondition(result.problem)] }
        : { ...status, conditions, certificate: Buffer.from(result.certificatePem).toString('base64') };
    await resource.update({ ...request, status: signed }, { subresource: 'status', signal });
  }

  await controller<SigningRequest>({
    name: 'csrsigning',
    for: reference,
    async reconcile({ object }) {
      if (!object || object.status?.certificate || !hasDecision(object, 'Approved')) return;
      if (hasDecision(object, 'Denied') || hasDecision(object, 'Failed')) return;
      await sign(object);
    },
  }).run(signal);
}

function failedCondition(message: string) {
  return { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message };
}

/** The files are read for each certificate, so that a renewed CA is used at once. */
async function readAuthority(
  options: ControllerOptions,
  signer: BuiltInSigner,
): Promise<CertificateAuthority | undefined> {
  const certFile = options[`cluster-signing-${signer}-cert-file`] ?? options['cluster-signing-cert-file'];
  const keyFile = options[`cluster-signing-${signer}-key-file`] ?? options['cluster-signing-key-file'];
  if (certFile === undefined || keyFile === undefined) return undefined;
  const [certificatePem, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  return { certificatePem, key: createPrivateKey(key) };
}
