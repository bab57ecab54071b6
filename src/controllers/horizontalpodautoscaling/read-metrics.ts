import type { Client } from '../../client/client.ts';
import type { ResourceMapper } from '../../client/resource-mapper.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import { isNonStatusResponse } from '../../client/error-of-response.ts';
import type { MetricIdentifier } from '../../gen/types/autoscaling-v2.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { parseDuration } from '../../meta/duration.ts';
import { formatLabelSelector, type LabelRequirement } from '../../meta/label-requirement.ts';
import { thousandthsOf } from './metric-amounts.ts';
import type { PodSample, PodSamples } from './group-pods.ts';
import { groupOf, servedKind } from './served-kind.ts';
import { errorMessage } from '../../status/error-message.ts';

/** An object whose metric is read. */
interface DescribedObject {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}

/** The metrics of one namespace. All reject with Error, whose message says which API failed. */
export interface MetricsReader {
  /** The use of a resource by each pod that a selector finds, or by one container of it. */
  ofResource(resource: string, selector: string, container?: string): Promise<PodSamples>;
  /** A metric of each pod that a selector finds. */
  ofPods(metric: MetricIdentifier, selector: string): Promise<PodSamples>;
  /** A metric of an object, in thousandths. */
  ofObject(metric: MetricIdentifier, object: DescribedObject): Promise<number>;
  /** The sum of an external metric, in thousandths. */
  external(metric: MetricIdentifier): Promise<number>;
}

interface PodMetrics {
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly timestamp?: string;
  readonly window?: string;
  readonly containers?: readonly { readonly name: string; readonly usage?: Readonly<Record<string, string>> }[];
}

/** A value of custom or external metrics. Versions name the window differently. */
interface MetricValue {
  readonly describedObject?: { readonly name?: string };
  readonly timestamp?: string;
  readonly window?: number;
  readonly windowSeconds?: number;
  readonly value?: string;
}

/** The dependencies, and the namespace. */
interface MetricsSource {
  readonly client: Client;
  readonly mapper: ResourceMapper;
  readonly identifiers: Identifiers;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** The window of a metric that names none. */
const usualWindowMs = 60_000;

/** The versions of custom metrics, the preferred one first. */
const customVersions = ['v1beta2', 'v1beta1'];

/** Creates a reader of the metrics APIs, which other servers serve behind APIServices. */
export function metricsReader({ client, mapper, identifiers, namespace, signal }: MetricsSource): MetricsReader {
  const { apiDomain } = identifiers;

  async function list<Item>(
    what: 'resource' | 'custom' | 'external',
    path: string,
    query: Record<string, string | undefined>,
    resource = '',
  ): Promise<Item[]> {
    let items: Item[] | undefined;
    try {
      const body = await client.transport.request({ method: 'GET', path, query, signal });
      // The API of metrics defines the list.
      items = (client.codec.parse(body) as { items?: Item[] }).items;
    } catch (error) {
      throw notFetched(what, textOf(error, resource), error);
    }
    if (!items?.length) throw new Error(`no metrics returned from ${what} metrics API`);
    return items;
  }

  async function customPath(...segments: readonly string[]): Promise<string> {
    const { resources, failed } = await mapper.discovery(signal);
    const group = `custom.metrics.${apiDomain}`;
    const served = customVersions.find((version) =>
      resources.some((each) => each.group === group && each.version === version),
    );
    // A server that is not there has no resources to discover, and answers with an error.
    const isRegistered =
      served !== undefined || failed.some(({ groupVersion }) => groupVersion.startsWith(`${group}/`));
    if (isRegistered) return pathOf(group, served ?? 'v1beta1', ...segments);
    // It may be registered soon.
    mapper.forget();
    throw new Error(`no custom metrics API (${group}) registered`);
  }

  /** The path of a metric of an object. Kinds with a group are named `deployments.apps`. */
  async function objectPath(object: DescribedObject, metric: string): Promise<string> {
    const { kind, name } = object;
    if (kind === 'Namespace') return customPath('namespaces', name, 'metrics', metric);
    const found = await mappedKind(object);
    const resource = found.group === '' ? found.resource : `${found.resource}.${found.group}`;
    const scope = found.namespaced ? ['namespaces', namespace] : [];
    return customPath(...scope, resource, name, metric);
  }

  async function mappedKind(object: DescribedObject): Promise<ResourceReference> {
    const group = groupOf(object);
    try {
      return await servedKind(mapper, object, signal);
    } catch (error) {
      const shown = group === '' ? object.kind : `${object.kind}.${group}`;
      throw new Error(`unable to map kind ${shown} to resource: ${errorMessage(error)}`, { cause: error });
    }
  }

  return {
    async ofResource(resource, selector, container) {
      const path = pathOf(`metrics.${apiDomain}`, 'v1beta1', 'namespaces', namespace, 'pods');
      const query = { labelSelector: selector };
      const items = await list<PodMetrics>('resource', path, query, `pods.metrics.${apiDomain}`);
      return new Map(items.flatMap((item) => sampleOf(item, resource, container) ?? []));
    },
    async ofPods({ name, selector: metricSelector }, selector) {
      const path = await fetchable(() => customPath('namespaces', namespace, 'pods', '*', name));
      const query = { labelSelector: selector, metricLabelSelector: selectorText(metricSelector) };
      const items = await list<MetricValue>('custom', path, query);
      return new Map(items.map((item) => [item.describedObject?.name ?? '', valueSample(item)]));
    },
    async ofObject({ name, selector }, object) {
      const path = await fetchable(() => objectPath(object, name));
      const [item] = await list<MetricValue>('custom', path, { metricLabelSelector: selectorText(selector) });
      return thousandthsOf(item?.value);
    },
    async external({ name, selector }) {
      const path = pathOf(`external.metrics.${apiDomain}`, 'v1beta1', 'namespaces', namespace, name);
      const query = { labelSelector: selectorText(selector) };
      const items = await list<MetricValue>('external', path, query, `${name}.external.metrics.${apiDomain}`);
      return items.reduce((sum, { value }) => sum + thousandthsOf(value), 0);
    },
  };
}

/** Runs a function that finds the path of custom metrics. */
async function fetchable(find: () => Promise<string>): Promise<string> {
  try {
    return await find();
  } catch (error) {
    throw notFetched('custom', errorMessage(error), error);
  }
}

function notFetched(what: string, text: string, cause: unknown): Error {
  return new Error(`unable to fetch metrics from ${what} metrics API: ${text}`, { cause });
}

/** The texts of client-go for responses that are no Status, such as from an absent API. */
const answerTexts: Readonly<Record<number, string>> = {
  404: 'the server could not find the requested resource',
  503: 'the server is currently unable to handle the request',
};

function textOf(error: unknown, resource: string): string {
  const text = isNonStatusResponse(error) && resource !== '' ? answerTexts[error.code] : undefined;
  return text === undefined ? errorMessage(error) : `${text} (get ${resource})`;
}

function pathOf(group: string, version: string, ...segments: readonly string[]): string {
  // All pods are `*`, which is sent as it is.
  const encoded = segments.map((segment) => (segment === '*' ? segment : encodeURIComponent(segment)));
  return ['/apis', group, version, ...encoded].join('/');
}

/** The text of a selector of labels; undefined for none. */
function selectorText(selector: MetricIdentifier['selector']): string | undefined {
  if (!selector) return undefined;
  const labels = Object.entries(selector.matchLabels ?? {});
  const requirements: LabelRequirement[] = [
    ...labels.map(([key, value]) => ({ key, operator: '=' as const, values: [value] })),
    ...(selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => ({
      key,
      operator: operators[operator] ?? 'in',
      values,
    })),
  ];
  return formatLabelSelector(requirements);
}

/** The operators of objects as selectors in texts write them. */
const operators: Readonly<Record<string, LabelRequirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/** The use of a pod; undefined if a container has none of the resource. */
function sampleOf(
  { metadata, timestamp, window, containers = [] }: PodMetrics,
  resource: string,
  container: string | undefined,
): [[string, PodSample]] | undefined {
  const counted = containers.filter(({ name }) => container === undefined || name === container);
  const uses = counted.map(({ usage }) => usage?.[resource]);
  const podName = metadata?.name ?? '';
  if (counted.length === 0 && container !== undefined) {
    const pod = `${metadata?.namespace ?? ''}/${podName}`;
    throw new Error(`failed to get container metrics: container ${container} not present in metrics for pod ${pod}`);
  }
  if (uses.includes(undefined)) return undefined;
  const value = uses.reduce<number>((sum, each) => sum + thousandthsOf(each), 0);
  const windowMs = Number((parseDuration(window ?? '0s') ?? 0n) / 1_000_000n);
  return [[podName, { value, windowMs, timeMs: Date.parse(timestamp ?? '') }]];
}

function valueSample({ value, timestamp, window, windowSeconds = window }: MetricValue): PodSample {
  const windowMs = windowSeconds === undefined ? usualWindowMs : windowSeconds * 1000;
  return { value: thousandthsOf(value), windowMs, timeMs: Date.parse(timestamp ?? '') };
}
