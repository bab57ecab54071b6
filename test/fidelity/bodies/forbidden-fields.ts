import type { ObjectSchema } from '../../../src/scheme/schema.ts';

/**
 * Fields that are not drawn at random, because sequences run beside each other: they would reach into others (a webhook
 * with rules, a default class), or ask for what only one can have (a port of the nodes).
 */
const forbidden: readonly (readonly [message: RegExp, field: RegExp])[] = [
  [/\.Service(?:Port|Spec)$/, /^(?:nodePort|healthCheckNodePort|clusterIPs?|ipFamilies|ipFamilyPolicy)$/],
  [/Webhook$/, /^rules$/],
  [/\.PriorityClass$/, /^globalDefault$/],
  [/\.NamespaceSpec$/, /^finalizers$/],
  // The server's own, or of no effect in a body.
  [/^api\.meta\.v1\.ObjectMeta$/, /^(?!(?:name|labels|annotations)$)/],
];

/** Whether a field of a message is left to generators that know what they do. */
export function isForbidden(schema: ObjectSchema, field: string): boolean {
  return forbidden.some(([message, name]) => message.test(schema.name) && name.test(field));
}
