import type {
  Pod,
  PodSecurityContext,
  PodSpec,
  PodTemplateSpec,
  SecurityContext,
} from '../../../gen/stored/core-v1.ts';
import { allContainers, type AnyContainer } from '../../../kinds/core/pod.ts';

/** A Pod, or the template of one, as the checks of the Pod Security Standards see it. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
  /** Init, ordinary and ephemeral containers. */
  readonly containers: readonly AnyContainer[];
  /** The domain of the annotations of security profiles. */
  readonly labelDomain: string;
}

/** A violation of one check. */
export interface Violation {
  /** The text in warnings about many Pods: `host namespaces`. */
  readonly reason: string;
  /** The fields and values: `hostNetwork=true`. */
  readonly detail: string;
}

/** Checks a Pod against one rule of the standards. */
export type Check = (pod: CheckedPod) => Violation | undefined;

/** Prepares a Pod or a template for the checks. */
export function checkedPod({ metadata, spec }: Pod | PodTemplateSpec, labelDomain: string): CheckedPod {
  return { annotations: metadata.annotations ?? {}, spec, containers: allContainers(spec), labelDomain };
}

/** The field `securityContext` of a Pod's spec or of a container. */
export function securityOf<Context>({ securityContext }: { readonly securityContext?: Context }): Partial<Context> {
  return securityContext ?? {};
}

/** A security context of a Pod or a container. */
export type AnySecurity = PodSecurityContext | SecurityContext;

/** Reports whether the Pod says that it runs on Windows, which has no Linux security contexts. */
export function isForWindows({ spec }: CheckedPod): boolean {
  return spec.os?.name === 'windows';
}

/** `container "a"` or `containers "a", "b"`. */
export function namedContainers(containers: readonly AnyContainer[]): string {
  const names = containers.map(({ name }) => name);
  return `${plural('container', names.length)} ${quoted(names)}`;
}

/**
 * The Pod and containers whose security contexts satisfy a condition: `pod and container "a"`; ''
 * if there are none.
 */
export function settersOf(
  { spec, containers }: CheckedPod,
  isBad: (security: AnySecurity) => boolean | undefined,
): string {
  const bad = containers.filter((container) => isBad(securityOf(container)));
  const setters = [...(isBad(securityOf(spec)) ? ['pod'] : []), ...(bad.length > 0 ? [namedContainers(bad)] : [])];
  return setters.join(' and ');
}

/** A violation; undefined without detail. */
export function violation(reason: string, detail: string): Violation | undefined {
  return detail === '' ? undefined : { reason, detail };
}

/** A violation of containers, which `rule` ends; undefined without containers. */
export function containersViolation(
  reason: string,
  containers: readonly AnyContainer[],
  rule: string,
): Violation | undefined {
  return containers.length === 0 ? undefined : { reason, detail: `${namedContainers(containers)} ${rule}` };
}

/** Quotes texts and joins them with commas. */
export function quoted(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(', ');
}

/** The distinct texts in order. */
export function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted();
}

/** The plural form of a word if `count` is not 1. */
export function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}
