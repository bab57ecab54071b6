import { builtInResources } from '../../client/built-in-resources.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { hasDecision } from '../../kinds/certificates/certificate-signing-request.ts';
import { type SigningRequest, signingRequests } from '../resources.ts';
import { builtInSigners } from '../../pki/built-in-signers.ts';
import { parseEncodedRequest } from '../../pki/parse-certificate-request.ts';
import { PkiError } from '../../pki/pki-error.ts';
import { signerRules } from '../../pki/signer-rules.ts';

/** Approves requests of node agents for client certificates, if their authors may ask for them. */
export const approvingController: ControllerDefinition = {
  name: 'certificatesigningrequest-approving-controller',
  alias: 'csrapproving',
  account: 'certificate-controller',
  run,
};

async function run({ client, identifiers, controller }: ControllerContext, signal: AbortSignal): Promise<void> {
  const { apiDomain, nodeAgent } = identifiers;
  const reference = signingRequests(identifiers);
  const resource = client.resource(reference);
  const reviews = client.resource(builtInResources(identifiers.set).subjectaccessreviews);
  const signers = builtInSigners(identifiers);

  async function mayAsk({ spec }: SigningRequest, subresource: string): Promise<boolean> {
    const { username: user, uid, groups, extra } = spec;
    const resourceAttributes = { group: reference.group, resource: reference.resource, verb: 'create', subresource };
    const kind = { apiVersion: `authorization.${apiDomain}/v1`, kind: 'SubjectAccessReview' };
    const review = await reviews.create(
      { ...kind, spec: { user, uid, groups, extra, resourceAttributes } },
      { signal },
    );
    return review.status?.allowed === true;
  }

  async function approve(request: SigningRequest, message: string): Promise<void> {
    const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
    const conditions = [...(request.status?.conditions ?? []), condition];
    const approved = { ...request, status: { ...request.status, conditions } };
    await resource.update(approved, { subresource: 'approval', signal });
  }

  await controller<SigningRequest>({
    name: 'csrapproving',
    for: reference,
    async reconcile({ object }) {
      if (!object || signers.get(object.spec.signerName) !== 'node-client' || object.status?.certificate) return;
      if (hasDecision(object, 'Approved') || hasDecision(object, 'Denied')) return;
      const subject = nodeClientSubject(object);
      if (subject === undefined) return;
      const review = 'certificate after SubjectAccessReview.';
      if (subject === object.spec.username && (await mayAsk(object, 'selfnodeclient'))) {
        await approve(object, `Auto approving self ${nodeAgent} client ${review}`);
      } else if (await mayAsk(object, 'nodeclient')) {
        await approve(object, `Auto approving ${nodeAgent} client ${review}`);
      } else {
        throw new Error(`the author of "${object.metadata.name}" may not ask for a client certificate of a node`);
      }
    },
  }).run(signal);
}

/**
 * The common name of a request that the signer of client certificates of nodes takes; undefined
 * for others.
 */
function nodeClientSubject({ spec }: SigningRequest): string | undefined {
  try {
    const request = parseEncodedRequest(spec.request);
    const problem = signerRules['node-client'](request, spec.usages ?? []);
    return problem === undefined ? request.subject.commonName : undefined;
  } catch (error) {
    if (error instanceof PkiError) return undefined;
    throw error;
  }
}
