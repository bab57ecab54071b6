import { builtInResources } from '../../client/built-in-resources.ts';
import { watched } from '../../client/controllers/watch-sources.ts';
import { untilServed } from '../until-served.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type Pod, pods, resourceClaims as claimsOfServer } from '../resources.ts';
import { makeClaims } from './make-claims.ts';
import { keepClaim } from './keep-claim.ts';
import { claimNamesOf } from '../../kinds/core/pod-claims.ts';

/** Creates ResourceClaims from the templates of pods, and removes reservations of ended pods. */
export const resourceClaimController: ControllerDefinition = {
  name: 'resourceclaim-controller',
  alias: 'resource-claim-controller',
  account: 'resource-claim-controller',
  component: 'resource_claim',
  async run(context: ControllerContext, signal): Promise<void> {
    const { client, discovery, informers, identifiers, options, events, controller } = context;
    const concurrency = options['concurrent-resourceclaim-syncs'];
    const older = ['v1beta2', 'v1beta1', 'v1alpha3'];
    const claims = await untilServed({ client, discovery }, claimsOfServer(identifiers), older, signal);
    const templates = { ...builtInResources(identifiers.set).resourceclaimtemplates, version: claims.version };
    const allPods = informers.informer(pods);
    const allClaims = informers.informer(claims);
    const ownedBy = (pod: Pod) =>
      allClaims
        .list({ namespace: pod.metadata.namespace ?? '' })
        .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === pod.metadata.uid));

    const makers = controller({
      name: 'resource_claim_pods',
      concurrency,
      for: pods,
      // A deleted claim is created again.
      watches: [
        watched(claims, ({ metadata }) =>
          (metadata.ownerReferences ?? [])
            .filter(({ kind }) => kind === 'Pod')
            .map(({ name }) => ({ namespace: metadata.namespace ?? '', name })),
        ),
        watched(templates, ({ metadata }) =>
          allPods
            .list({ namespace: metadata?.namespace ?? '' })
            .filter(({ spec }) =>
              spec.resourceClaims?.some(({ resourceClaimTemplateName: name }) => name === metadata?.name),
            )
            .map((pod) => ({ namespace: pod.metadata.namespace ?? '', name: pod.metadata.name })),
        ),
      ],
      reconcile: ({ object, namespace }) =>
        makeClaims(object, {
          identifiers,
          apiVersion: `${claims.group}/${claims.version}`,
          owned: object ? ownedBy(object) : [],
          template: (name) => client.resource(templates).get(name, { namespace, signal }),
          create: (claim) => client.resource(claims).create(claim, { namespace, signal }),
          report: (statuses) =>
            client.resource(pods).apply(
              {
                apiVersion: 'v1',
                kind: 'Pod',
                metadata: { name: object?.metadata.name ?? '', namespace },
                status: { resourceClaimStatuses: statuses },
              } as never,
              { subresource: 'status', fieldManager: 'ResourceClaimController', force: true, signal },
            ),
          warn: (message) =>
            object && events.record(object, { type: 'Warning', reason: 'FailedResourceClaimCreation', message }),
        }),
    });

    const keepers = controller({
      name: 'resource_claim',
      concurrency,
      for: claims,
      watches: [
        watched(pods, (pod) => claimNamesOf(pod).map((name) => ({ namespace: pod.metadata.namespace ?? '', name }))),
      ],
      reconcile: ({ object, namespace }) =>
        keepClaim(object, {
          identifiers,
          known: (name) => allPods.get(name, namespace),
          present: (name) => client.resource(pods).get(name, { namespace, signal }),
          update: (claim) => client.resource(claims).update(claim, { signal }),
          updateStatus: (claim) => client.resource(claims).update(claim, { subresource: 'status', signal }),
          remove: ({ name, uid }) =>
            client.resource(claims).delete(name, { namespace, preconditions: { uid }, signal }),
        }),
    });
    await Promise.all([makers.run(signal), keepers.run(signal)]);
  },
};
