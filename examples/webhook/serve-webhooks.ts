import { createServer, type Server } from 'node:https';
import { json } from 'node:stream/consumers';
import type { admissionv1, appsv1 } from 'cl-apiserver/client';

type Review = admissionv1.AdmissionReview & { readonly apiVersion: string; readonly kind: string };
type Response = Omit<NonNullable<Review['response']>, 'uid'>;

/** Reviews of Deployments by the path of their request. */
const reviews: Readonly<Record<string, (deployment: appsv1.Deployment) => Response>> = {
  '/mutate': addTeam,
  '/validate': requireReplicas,
};

/** Gives a Deployment without a label `team` one. */
function addTeam({ metadata }: appsv1.Deployment): Response {
  if (metadata?.labels?.['team'] !== undefined) return { allowed: true };
  const labels = { ...metadata?.labels, team: 'unknown' };
  const patch = [{ op: 'add', path: '/metadata/labels', value: labels }];
  return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
}

/** Refuses a Deployment with a single replica. */
function requireReplicas({ spec }: appsv1.Deployment): Response {
  const allowed = spec?.replicas !== 1;
  return allowed ? { allowed } : { allowed, status: { message: 'spec.replicas: one is not enough' } };
}

/** A server of the webhooks with a certificate; it does not listen yet. */
export function serveWebhooks(tls: { readonly key: string; readonly cert: string }): Server {
  return createServer(tls, async (request, response) => {
    const review = reviews[request.url?.split('?')[0] ?? ''];
    if (!review) return void response.writeHead(404).end();
    const { apiVersion, kind, request: asked } = (await json(request)) as Review;
    const answer = { apiVersion, kind, response: { uid: asked?.uid, ...review(asked?.object as appsv1.Deployment) } };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  });
}
