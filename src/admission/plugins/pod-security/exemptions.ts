import type { Pod, PodTemplateSpec } from '../../../gen/stored/core-v1.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import type { PodEvaluation } from './check-against-policy.ts';

/** The Pods that are not checked. */
export interface PodSecurityExemptions {
  readonly namespaces: ReadonlySet<string>;
  readonly usernames: ReadonlySet<string>;
  readonly runtimeClasses: ReadonlySet<string>;
}

/** The property of a request by which it is exempt. */
type ExemptProperty = 'namespace' | 'user' | 'runtimeClass';

/** The property by which a request is exempt; undefined if it is not, or by its Pod only. */
export function exemptionOf(
  { namespace, user }: AdmissionAttributes,
  { namespaces, usernames }: PodSecurityExemptions,
): ExemptProperty | undefined {
  if (namespaces.has(namespace)) return 'namespace';
  return usernames.has(user.username) ? 'user' : undefined;
}

/** Reports whether a Pod or template is exempt by its runtime class. */
export function isExemptClass({ spec }: Pod | PodTemplateSpec, { runtimeClasses }: PodSecurityExemptions): boolean {
  return runtimeClasses.has(spec.runtimeClassName ?? '');
}

/** Counts and records an exempt request. */
export function exempt(
  { metrics, annotate }: PodEvaluation,
  attributes: AdmissionAttributes,
  by: ExemptProperty,
): void {
  metrics.exempted(attributes);
  annotate(attributes, 'exempt', by);
}
