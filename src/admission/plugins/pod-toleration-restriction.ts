import { DecodeError } from '../../codec/decode-error.ts';
import type { Namespace, Pod, PodSpec, Toleration } from '../../gen/stored/core-v1.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { parseQuantity } from '../../meta/quantity.ts';
import { notFound, StatusError } from '../../status/status-error.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../admission.ts';
import { configuredTolerations } from '../configured-tolerations.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo, type ObjectWrite } from '../is-write-to.ts';
import { parseTolerations } from '../parse-tolerations.ts';
import { TolerationIndex } from '../toleration-index.ts';
import { mergeTolerations, refuseTooMany } from '../tolerations.ts';

/** The annotations of a namespace about the tolerations of its Pods. */
interface NamespaceTolerations {
  /** JSON lists; '' for an empty one, undefined without the annotation. */
  readonly defaults: string | undefined;
  readonly whitelist: string | undefined;
}

/**
 * Adds the default tolerations of a namespace to new Pods, after their own, and refuses tolerations
 * that the namespace does not list (spec 4.10). Namespaces without these annotations have the lists
 * `default` and `whitelist` of the configuration. Pods that are not of best effort also tolerate
 * pressure on memory. Throws `RangeError` if the configuration is invalid.
 */
export function podTolerationRestriction(
  { identifiers, listerOf }: PluginContext,
  configuration: JsonObject = {},
): AdmissionPlugin {
  const { labelDomain } = identifiers;
  const ofCluster = configuredTolerations(configuration, identifiers);
  const prefix = `scheduler.alpha.${labelDomain}/`;
  const underPressure = { key: `node.${labelDomain}/memory-pressure`, operator: 'Exists', effect: 'NoSchedule' };
  const namespaces = listerOf({
    group: '',
    resource: 'namespaces',
    read: ({ metadata: { annotations = {} } }: Namespace): NamespaceTolerations => ({
      defaults: annotations[`${prefix}defaultTolerations`],
      whitelist: annotations[`${prefix}tolerationsWhitelist`],
    }),
  });
  const listsFor = async ({ namespace, signal }: AdmissionAttributes): Promise<NamespaceTolerations> => {
    const found = await namespaces.get('', namespace, signal);
    if (!found) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    return found;
  };
  const addTolerations = async (attributes: ObjectWrite<Pod>): Promise<void> => {
    const { spec } = attributes.object;
    const own = spec.tolerations ?? [];
    const defaults =
      attributes.operation === 'CREATE' ? parseList((await listsFor(attributes)).defaults, ofCluster.defaults) : [];
    refuseTooMany(attributes, own.length + defaults.length);
    const merged = defaults.length > 0 ? mergeTolerations(own, defaults) : own;
    const all = isBestEffort(spec) ? merged : mergeTolerations(merged, [underPressure]);
    if (all.length > 0) spec.tolerations = structuredClone([...all]);
    await checkTolerations(attributes);
  };
  const checkTolerations = async (attributes: ObjectWrite<Pod>): Promise<void> => {
    const { tolerations = [] } = attributes.object.spec;
    if (tolerations.length === 0) return;
    const given = (await listsFor(attributes)).whitelist;
    const whitelist = parseList(given, ofCluster.whitelist);
    if (whitelist.length === 0) return;
    const listed = new TolerationIndex(whitelist);
    if (tolerations.every((own) => listed.covers(own))) return;
    const why = 'pod tolerations (possibly merged with namespace default tolerations) conflict with its';
    const whose = given === undefined ? 'cluster' : 'namespace';
    throw forbidden(attributes, `${why} ${whose} whitelist`);
  };
  return {
    name: 'PodTolerationRestriction',
    operations: ['CREATE', 'UPDATE'],
    mutate: (attributes) =>
      isWriteTo(attributes, '', 'pods', 'CREATE', 'UPDATE') ? addTolerations(attributes) : undefined,
    validate: (attributes) =>
      isWriteTo(attributes, '', 'pods', 'CREATE', 'UPDATE') ? checkTolerations(attributes) : undefined,
  };
}

/** Parses a list of tolerations in JSON; '' is an empty list. Throws a Status without reason. */
function parseList(text: string | undefined, missing: readonly Toleration[]): readonly Toleration[] {
  if (text === undefined) return missing;
  if (text === '') return [];
  try {
    return parseTolerations(text);
  } catch (error) {
    if (error instanceof DecodeError) throw new StatusError('', error.message);
    throw error;
  }
}

/** Reports whether no container requests or limits CPU or memory. */
function isBestEffort({ initContainers, containers }: PodSpec): boolean {
  return [...(initContainers ?? []), ...(containers ?? [])].every(({ resources: { requests, limits } }) =>
    [requests, limits].every((amounts) => ['cpu', 'memory'].every((name) => isZero(amounts?.[name] ?? ''))),
  );
}

function isZero(text: string): boolean {
  const quantity = parseQuantity(text);
  return 'error' in quantity || quantity.nanos === 0n;
}
