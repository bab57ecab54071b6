import type { MaybePromise } from '../../../async/maybe-promise.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { CronJob } from '../../../gen/stored/batch-v1.ts';
import type { Deployment } from '../../../gen/stored/apps-v1.ts';
import type { Namespace, Pod, PodTemplate, PodTemplateSpec } from '../../../gen/stored/core-v1.ts';
import { type JsonObject, getOwn } from '../../../meta/json-value.ts';
import type { ListerOf } from '../../../meta/lister.ts';
import type { MetricsRegistry } from '../../../metrics/metrics-registry.ts';
import { isSince, minorOf } from '../../../scheme/api-release.ts';
import { StatusError } from '../../../status/status-error.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { isWriteTo } from '../../is-write-to.ts';
import { checkNamespace } from './check-namespace.ts';
import { evaluationMetrics } from './evaluation-metrics.ts';
import { evaluator } from './evaluate.ts';
import type { ListPods } from './existing-pods.ts';
import { latestVersion, showLevelVersion, levelRule, parseLevel, parseVersion, versionRule } from './level-version.ts';
import { type Mode, modes, type NamespacePolicy, policyOf, type PolicyRules, type Policy } from './namespace-policy.ts';
import { exempt, exemptionOf, isExemptClass, type PodSecurityExemptions } from './exemptions.ts';
import { type PodEvaluation, checkAgainstPolicy } from './check-against-policy.ts';
import type { AnyContainer } from '../../../kinds/core/pod.ts';
import { type NameRule, validateDnsLabel, validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { duplicate, type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkKind, configuredObject, refuseErrors } from '../../check-configuration.ts';

/** The configuration of the plugin. */
interface PodSecurityConfiguration {
  /** The levels of namespaces without labels. */
  readonly defaults: Policy;
  readonly exemptions: PodSecurityExemptions;
}

const fields = ['apiVersion', 'kind', 'defaults', 'exemptions'];
const defaultsFields = modes.flatMap((mode) => [mode, `${mode}-version`]);
const exemptionFields = ['usernames', 'namespaces', 'runtimeClasses'];

/**
 * Parses a `PodSecurityConfiguration`; without one, all Pods are allowed unless the labels of their
 * namespace say otherwise. Throws `RangeError` with all errors.
 */
function parsePodSecurityConfiguration(given: JsonObject | undefined, apiDomain: string): PodSecurityConfiguration {
  const errors: FieldError[] = [];
  if (given) {
    const group = `pod-security.admission.config.${apiDomain}`;
    checkKind(given, { kind: 'PodSecurityConfiguration', group, versions: ['v1', 'v1beta1', 'v1alpha1'] });
  }
  const configuration = configuredObject(given ?? {}, '', fields, errors);
  const ofDefaults = configuredObject(configuration, 'defaults', defaultsFields, errors);
  const read = (mode: Mode) => ({
    level: parsed(ofDefaults, mode, parseLevel, levelRule, errors) ?? 'privileged',
    version: parsed(ofDefaults, `${mode}-version`, parseVersion, versionRule, errors) ?? latestVersion,
  });
  const defaults: Policy = { enforce: read('enforce'), warn: read('warn'), audit: read('audit') };
  const ofExemptions = configuredObject(configuration, 'exemptions', exemptionFields, errors);
  const exemptions = {
    namespaces: namesIn(ofExemptions, 'namespaces', validateDnsLabel, errors),
    runtimeClasses: namesIn(ofExemptions, 'runtimeClasses', validateDnsSubdomain, errors),
    usernames: namesIn(ofExemptions, 'usernames', () => [], errors),
  };
  refuseErrors(errors);
  return { defaults, exemptions };
}

function parsed<Value>(
  owner: JsonObject,
  name: string,
  parse: (text: string) => Value | undefined,
  rule: string,
  errors: FieldError[],
): Value | undefined {
  const given = getOwn(owner, name) ?? '';
  if (given === '') return undefined;
  const value = typeof given === 'string' ? parse(given) : undefined;
  if (value === undefined) errors.push(invalid(`defaults.${name}`, given, rule));
  return value;
}

function namesIn(owner: JsonObject, name: string, rule: NameRule, errors: FieldError[]): ReadonlySet<string> {
  const given = getOwn(owner, name) ?? [];
  const field = `exemptions.${name}`;
  const names = new Set<string>();
  if (!Array.isArray(given)) errors.push(invalid(field, given, 'must be a list of names'));
  else for (const [index, item] of given.entries()) addName(names, item, `${field}[${index}]`, rule, errors);
  return names;
}

function addName(names: Set<string>, item: unknown, field: string, rule: NameRule, errors: FieldError[]): void {
  if (typeof item !== 'string') errors.push(invalid(field, item, 'must be a name'));
  else if (item === '') errors.push(required(field));
  else if (names.has(item)) errors.push(duplicate(field, item));
  else errors.push(...rule(item).map((problem) => invalid(field, item, problem)));
  if (typeof item === 'string') names.add(item);
}

/** The dependencies of the plugin. */
interface PodSecurityDependencies {
  readonly identifiers: Identifiers;
  readonly listerOf: ListerOf;
  readonly listPods: ListPods;
  readonly metrics: MetricsRegistry;
  readonly emulated: EmulatedRelease;
}

/** Sub-resources of Pods that cannot change their spec. */
const harmlessSubresources: ReadonlySet<string> = new Set([
  'exec',
  'attach',
  'binding',
  'eviction',
  'log',
  'portforward',
  'proxy',
  'status',
]);

/** Objects with a template of Pods. Some kinds may lack it. */
type TemplateOwner = PodTemplate & CronJob & { spec: Partial<Deployment['spec']> };

const inSpec = ({ spec }: TemplateOwner): PodTemplateSpec | undefined => spec.template;

/** The templates of Pods in other resources, by group and resource. */
const templates: Readonly<Record<string, (object: TemplateOwner) => PodTemplateSpec | undefined>> = {
  '/podtemplates': ({ template }) => template,
  '/replicationcontrollers': inSpec,
  'apps/daemonsets': inSpec,
  'apps/deployments': inSpec,
  'apps/replicasets': inSpec,
  'apps/statefulsets': inSpec,
  'batch/cronjobs': ({ spec }) => spec.jobTemplate.spec.template,
  'batch/jobs': inSpec,
};

/** The parts of the plugin. */
interface PodSecurityContext {
  readonly evaluation: PodEvaluation;
  readonly exemptions: PodSecurityExemptions;
}

/**
 * Checks Pods against the Pod Security Standards (spec 4.10). The labels of a namespace choose the
 * levels that refuse Pods, annotate the audit record, and warn; the last two apply to the templates
 * of Pods too. Throws `RangeError` for an invalid configuration.
 */
export function podSecurity(dependencies: PodSecurityDependencies, configuration?: JsonObject): AdmissionPlugin {
  const { identifiers, listerOf, listPods, metrics, emulated } = dependencies;
  const { apiDomain, labelDomain } = identifiers;
  const { defaults, exemptions } = parsePodSecurityConfiguration(configuration, apiDomain);
  const release = emulated.forwardCompatible ? latestVersion : minorOf(emulated.release);
  const domain = `pod-security.${labelDomain}`;
  const warnsOfEnforced = emulated.forwardCompatible || isSince(emulated.release, '1.26');
  const rules: PolicyRules = { defaults, domain, warnsOfEnforced };
  const evaluation: PodEvaluation = {
    evaluate: evaluator(release),
    metrics: evaluationMetrics(metrics, release),
    labelDomain,
    annotate: (attributes, key, value) => attributes.annotate(`${domain}/${key}`, value),
  };
  const read = ({ metadata }: Namespace): NamespacePolicy => policyOf(metadata.labels ?? {}, rules);
  const namespaces = listerOf({ group: '', resource: 'namespaces', read, warm: true });
  const context: PodSecurityContext = { evaluation, exemptions };
  const check = <T extends Pod | PodTemplateSpec>(
    attributes: AdmissionAttributes,
    pod: T,
    act: CheckInNamespace<T>,
  ): MaybePromise<void> => {
    const exemption = exemptionOf(attributes, exemptions);
    if (exemption) return exempt(evaluation, attributes, exemption);
    const found = namespaces.get('', attributes.namespace, attributes.signal);
    return found instanceof Promise
      ? found.then((policy) => act(context, attributes, pod, policy))
      : act(context, attributes, pod, found);
  };
  return {
    name: 'PodSecurity',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods', 'namespaces', ...Object.keys(templates).map((path) => path.slice(path.indexOf('/') + 1))],
    validate(attributes) {
      const { object, storedResource, subresource } = attributes;
      const resource = `${storedResource.group}/${storedResource.resource}`;
      if (!object) return undefined;
      if (resource === '/pods') {
        return harmlessSubresources.has(subresource) ? undefined : check(attributes, object as Pod, checkPod);
      }
      if (subresource !== '') return undefined;
      if (isWriteTo(attributes, '', 'namespaces', 'CREATE', 'UPDATE')) {
        return checkNamespace(attributes, { rules, evaluation, listPods, exemptions });
      }
      const template = templates[resource]?.(object as TemplateOwner);
      return template && check(attributes, template, checkTemplate);
    },
  };
}

/** A check of a Pod or template; the policy is undefined if the namespace does not exist. */
type CheckInNamespace<T> = (
  context: PodSecurityContext,
  attributes: AdmissionAttributes,
  pod: T,
  found: NamespacePolicy | undefined,
) => void;

const checkPod: CheckInNamespace<Pod> = ({ evaluation, exemptions }, attributes, pod, found) => {
  if (!found) throw missingNamespace(evaluation, attributes);
  const { oldObject } = attributes;
  if (isOpen(found, modes)) {
    const open = { level: 'privileged', version: latestVersion } as const;
    evaluation.metrics.decided('allow', open, 'enforce', attributes);
    evaluation.annotate(attributes, 'enforce-policy', showLevelVersion(open));
  } else if (!oldObject || isSignificantUpdate(pod, oldObject as Pod, evaluation.labelDomain)) {
    if (isExemptClass(pod, exemptions)) exempt(evaluation, attributes, 'runtimeClass');
    else checkAgainstPolicy(evaluation, attributes, pod, found, true);
  }
};

const checkTemplate: CheckInNamespace<PodTemplateSpec> = ({ evaluation, exemptions }, attributes, template, found) => {
  if (!found) missingNamespace(evaluation, attributes);
  else if (!isOpen(found, ['audit', 'warn'])) {
    if (isExemptClass(template, exemptions)) exempt(evaluation, attributes, 'runtimeClass');
    else checkAgainstPolicy(evaluation, attributes, template, found, false);
  }
};

/** Reports whether nothing violates the levels of some modes, and no label is invalid. */
function isOpen({ policy, errors }: NamespacePolicy, of: readonly Mode[]): boolean {
  return errors.length === 0 && of.every((mode) => policy[mode].level === 'privileged');
}

/** 500 for a Pod whose namespace is not found; counts and records it. */
function missingNamespace(evaluation: PodEvaluation, attributes: AdmissionAttributes): StatusError {
  const why = `failed to lookup namespace ${JSON.stringify(attributes.namespace)}`;
  evaluation.metrics.failed(true, attributes);
  evaluation.annotate(attributes, 'error', why);
  return new StatusError('InternalError', `Internal error occurred: ${why}`);
}

/**
 * Reports whether an update of a Pod must be checked: only images, ephemeral containers and the
 * annotations of security profiles can change. Nodes and controllers must be able to write the
 * rest, such as finalizers, to Pods that a stricter level would refuse.
 */
function isSignificantUpdate(pod: Pod, old: Pod, labelDomain: string): boolean {
  const known = new Map(containersOf(old).map(([key, { image }]) => [key, image]));
  return (
    containersOf(pod).some(([key, { image }]) => known.get(key) !== image) ||
    securityAnnotations(pod, labelDomain) !== securityAnnotations(old, labelDomain)
  );
}

function containersOf({ spec }: Pod): readonly (readonly [key: string, container: AnyContainer])[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((container) => [`${list}/${container.name}`, container] as const),
  );
}

/** The annotations of seccomp and AppArmor profiles as one text. */
function securityAnnotations({ metadata: { annotations = {} } }: Pod, labelDomain: string): string {
  const domains = [`seccomp.security.alpha.${labelDomain}/`, `apparmor.security.beta.${labelDomain}/`];
  const keys = Object.keys(annotations).filter((key) => domains.some((domain) => key.includes(domain)));
  return JSON.stringify(keys.toSorted().map((key) => [key, annotations[key]]));
}
