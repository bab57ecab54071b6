import type { ObjectSchema } from '../../../src/scheme/model/schema.ts';

/**
 * Fields that are not drawn at random, because sequences run beside each other: they would reach into others (a webhook
 * with rules, a default class), or ask for what only one can have (a port of the nodes). Those of row
 * `release-gated-fields` would differ in each request.
 */
const forbidden: readonly (readonly [message: RegExp, field: RegExp])[] = [
  [/\.Service(?:Port|Spec)$/, /^(?:nodePort|healthCheckNodePort|clusterIPs?|ipFamilies|ipFamilyPolicy)$/],
  [/Webhook$/, /^rules$/],
  [/\.PriorityClass$/, /^globalDefault$/],
  [/\.NamespaceSpec$/, /^finalizers$/],
  // Behind feature gates that are off in release 1.20, which drops them.
  [/^api\.core\.v1\.PodSpec$/, /^ephemeralContainers$/],
  [/^api\.core\.v1\.Volume$/, /^ephemeral$/],
  [/^api\.core\.v1\.SecurityContext$/, /^procMount$/],
  [/^api\.core\.v1\.ServiceSpec$/, /^(?:topologyKeys|allocateLoadBalancerNodePorts)$/],
  [/^api\.batch\.\w+\.JobSpec$/, /^ttlSecondsAfterFinished$/],
  [/^api\.storage\.\w+\.CSIDriverSpec$/, /^(?:storageCapacity|requiresRepublish|tokenRequests)$/],
  [/^api\.discovery\.\w+\.Endpoint$/, /^nodeName$/],
  [/^api\.discovery\.\w+\.EndpointConditions$/, /^(?:serving|terminating)$/],
  [/^api\.autoscaling\.\w+\.MetricSpec$/, /^containerResource$/],
  // The server's own, or of no effect in a body.
  [/^api\.meta\.v1\.ObjectMeta$/, /^(?!(?:name|labels|annotations)$)/],
];

/** Whether a field of a message is left to generators that know what they do. */
export function isForbidden(schema: ObjectSchema, field: string): boolean {
  return forbidden.some(([message, name]) => message.test(schema.name) && name.test(field));
}
