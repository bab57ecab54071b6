import type { DiscoveredResource } from '../../../../client/discovery.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { alignColumns, columnsEnd } from './parts/align-columns.ts';
import { builtIn, eventsAbout, readRelated, type Source } from './parts/related.ts';
import { shortGroup, since, textAt, valueAt } from './parts/values.ts';
import { visibleLines } from '../../../format-rows.ts';
import type { Description } from './parts/description.ts';
import { indented, tableLines } from './parts/fields.ts';

/**
 * The resource to read for a description: a built-in kind in its preferred version, for which the
 * description is written, any other kind as it was named.
 */
export async function describedResource(
  resources: readonly DiscoveredResource[],
  resource: DiscoveredResource,
): Promise<DiscoveredResource> {
  const isKnown = (await descriptionOf(resource)) !== undefined;
  return (isKnown && builtIn(resources, shortGroup(resource.group), resource.resource)) || resource;
}

/** Describes an object: its fields, what belongs to it, and its Events. */
export async function describeObject(
  source: Source,
  resource: DiscoveredResource,
  object: JsonObject,
  showEvents: boolean,
): Promise<string> {
  const { sections, needs, events: by } = (await descriptionOf(resource)) ?? (await genericDescription());
  const [related, events] = await Promise.all([
    readRelated(source, object, needs),
    showEvents && by !== 'none' ? eventsAbout(source, object, by) : undefined,
  ]);
  const nowMs = Date.now();
  const lines = sections.flatMap((section) => section(object, { nowMs, related }));
  return visibleLines(alignColumns([...lines, ...(events ? eventLines(events, nowMs) : [])]));
}

type Loader = () => Promise<Description>;

const workloads = () => import('./kinds/workload-kinds.ts');
const network = () => import('./kinds/network.ts');
const access = () => import('./kinds/rbac-kinds.ts');
const data = () => import('./kinds/data.ts');
const storage = () => import('./kinds/storage.ts');
const quota = () => import('./kinds/quota.ts');

/** The descriptions of built-in kinds, by group and resource. Other kinds show all fields. */
const descriptions: Readonly<Record<string, Loader>> = {
  '/configmaps': async () => (await data()).configMap,
  '/endpoints': async () => (await network()).endpoints,
  '/limitranges': async () => (await quota()).limitRange,
  '/namespaces': async () => (await quota()).namespace,
  '/nodes': async () => (await import('./kinds/node.ts')).node,
  '/persistentvolumeclaims': async () => (await storage()).persistentVolumeClaim,
  '/persistentvolumes': async () => (await storage()).persistentVolume,
  '/pods': async () => (await import('./kinds/pod-description.ts')).podDescription,
  '/replicationcontrollers': async () => (await workloads()).replicationController,
  '/resourcequotas': async () => (await quota()).resourceQuota,
  '/secrets': async () => (await data()).secret,
  '/serviceaccounts': async () => (await access()).serviceAccount,
  '/services': async () => (await network()).service,
  'apps/daemonsets': async () => (await workloads()).daemonSet,
  'apps/deployments': async () => (await workloads()).deployment,
  'apps/replicasets': async () => (await workloads()).replicaSet,
  'apps/statefulsets': async () => (await workloads()).statefulSet,
  'autoscaling/horizontalpodautoscalers': async () => (await import('./kinds/autoscaler.ts')).autoscaler,
  'batch/cronjobs': async () => (await workloads()).cronJob,
  'batch/jobs': async () => (await workloads()).job,
  'certificates/certificatesigningrequests': async () => (await import('./kinds/certificate.ts')).certificateRequest,
  'discovery/endpointslices': async () => (await network()).endpointSlice,
  'networking/ingressclasses': async () => (await network()).ingressClass,
  'networking/ingresses': async () => (await network()).ingress,
  'networking/ipaddresses': async () => (await network()).ipAddress,
  'networking/networkpolicies': async () => (await import('./kinds/network-policy.ts')).networkPolicy,
  'networking/servicecidrs': async () => (await network()).serviceCidr,
  'policy/poddisruptionbudgets': async () => (await data()).podDisruptionBudget,
  'rbac.authorization/clusterrolebindings': async () => (await access()).roleBinding,
  'rbac.authorization/clusterroles': async () => (await access()).role,
  'rbac.authorization/rolebindings': async () => (await access()).roleBinding,
  'rbac.authorization/roles': async () => (await access()).role,
  'scheduling/priorityclasses': async () => (await data()).priorityClass,
  'storage/csinodes': async () => (await data()).csiNode,
  'storage/storageclasses': async () => (await storage()).storageClassDescription,
  'storage/volumeattributesclasses': async () => (await storage()).volumeAttributesClass,
};

/** The description of a built-in kind; undefined for others. */
async function descriptionOf({ group, resource }: DiscoveredResource): Promise<Description | undefined> {
  return descriptions[`${shortGroup(group)}/${resource}`]?.();
}

/** The description of other kinds, with all fields. */
async function genericDescription(): Promise<Description> {
  return (await import('./kinds/generic.ts')).generic;
}

/** The lines of the Events of an object, the oldest first. */
function eventLines(events: readonly JsonObject[], nowMs: number): string[] {
  if (events.length === 0) return ['Events:\t<none>'];
  const last = (event: JsonObject) => textAt(event, 'lastTimestamp');
  const sorted = events.toSorted((one, other) => (last(one) < last(other) ? -1 : Number(last(one) > last(other))));
  const columns = [
    ['Type', 'type'],
    ['Reason', 'reason'],
    ['Age', (event: JsonObject) => eventAge(event, nowMs)],
    ['From', (event: JsonObject) => textAt(event, 'source.component') || textAt(event, 'reportingComponent')],
    ['Message', eventMessage],
  ] as const;
  return [columnsEnd, 'Events:', ...indented(tableLines(columns, sorted))];
}

/** The age of an Event, with number and time if it was seen several times. */
function eventAge(event: JsonObject, nowMs: number): string {
  const first = since(valueAt(event, 'eventTime') ?? valueAt(event, 'firstTimestamp'), nowMs);
  const series = valueAt(event, 'series');
  if (series) {
    const seen = since(valueAt(event, 'series.lastObservedTime'), nowMs);
    return `${seen} (x${textAt(event, 'series.count')} over ${first})`;
  }
  const count = textAt(event, 'count');
  if (Number(count) > 1) return `${since(valueAt(event, 'lastTimestamp'), nowMs)} (x${count} over ${first})`;
  return first;
}

function eventMessage(event: JsonObject): string {
  const message = textAt(event, 'message').trim();
  const path = textAt(event, 'involvedObject.fieldPath');
  return path ? `${path}: ${message}` : message;
}
