import type { admissionregistrationv1 } from 'cl-apiserver/client';

/** The configurations that send writes of Deployments to the webhooks at a URL. */
export function configurations(url: string, caBundle: string) {
  const webhook = (name: string, path: string): admissionregistrationv1.ValidatingWebhook => ({
    name,
    clientConfig: { url: `${url}${path}`, caBundle: Buffer.from(caBundle).toString('base64') },
    rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] }],
    failurePolicy: 'Fail',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  });
  return {
    mutating: { metadata: { name: 'deployments' }, webhooks: [webhook('team.example.com', '/mutate')] },
    validating: { metadata: { name: 'deployments' }, webhooks: [webhook('replicas.example.com', '/validate')] },
  };
}
