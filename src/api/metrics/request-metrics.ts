import type { JsonObject } from '../../meta/json-value.ts';
import { memoize, once } from '../../meta/memoize.ts';
import { objectsAt, stringAt } from '../../meta/read-field.ts';
import { type Counter, type Histogram, type MetricVector, seriesByLabel } from '../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import type { ServedResource } from '../../registry/definition/catalogue.ts';
import type { ExchangeEnd } from '../../http-protocol/requests/http-exchange.ts';
import type { Exchange } from '../request/exchange.ts';
import type { KindInVersion } from '../../codec/codec.ts';
import { renamedFamily } from '../../metrics/renamed-family.ts';
import { InFlightMetrics } from './in-flight-metrics.ts';
import { type RequestFamilies, requestFamilies, watchedResourceSince } from './request-families.ts';
import { methodLabel, type RequestLabels, requestLabels } from './request-labels.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';

/** The part of a resource that a request names. */
interface NamedPart {
  readonly name: string;
  /** Set if it has a kind of its own, which is not deprecated with its resource. */
  readonly kind?: object | undefined;
}

/** The result of an authentication; an invalid credential is an error. */
type AuthenticationResult = 'success' | 'failure' | 'error';

/** The result of an authorization: an error if an authorizer failed and none allowed. */
type AuthorizationResult = 'allowed' | 'denied' | 'no-opinion' | 'error';

/** Called at the end of a resource request, except for watches and connections. */
export type OnEnded = (exchange: Exchange, end: ExchangeEnd) => void;

/** Receives requests for other statistics than these metrics. */
export interface RequestObserver {
  readonly ended: OnEnded;
  /** Called for each authenticated request. */
  readonly authenticated: (username: string) => void;
}

const silent: RequestObserver = { ended: () => {}, authenticated: () => {} };

/** Records the metrics of requests, as in kube-apiserver. */
export interface RequestMetrics {
  readonly inFlight: InFlightMetrics;
  /** Records a request for a served resource when it ends. Other requests create no series. */
  routed(exchange: Exchange, served: ServedResource, part: NamedPart | undefined): void;
  /** Records a request for a health path when it ends. */
  probed(exchange: Exchange, path: string): void;
  /** Records a request that was refused because too many are in flight. */
  dropped(exchange: Exchange, served: ServedResource | undefined): void;
  /**
   * Records a request for another server that was not passed on. `resources` are the resources of
   * its version, as in aggregated discovery; other names are not recorded.
   */
  notForwarded(exchange: Exchange, status: number, resources: readonly JsonObject[]): void;
  /** Returns the recorder of the events that are sent to a watch, `bytes` in total. */
  eventsOf(kind: KindInVersion, resource: string): (events: number, bytes: number) => void;
  /** Records that a watch got the initial state and the bookmark after it. */
  stateSent(exchange: Exchange, served: ServedResource): void;
  /** Records an authentication that began at `startMs`; `username` is the name of its user. */
  authenticated(startMs: number, result: AuthenticationResult, username?: string): void;
  /** Records an authorization that began at `startMs`. */
  authorized(startMs: number, result: AuthorizationResult): void;
  /** Records the time that a request waited for its seats; 0 if it did not wait. */
  queued(waitedMs: number): void;
}

/** The value of the label `component` of requests for resources. */
const component = 'apiserver';

/** The label value of requests for other servers. */
const aggregator = 'aggregator';

/**
 * Creates the metrics of requests and registers their families. The observer is called at the end
 * of each resource request, except for watches and connections.
 */
export function createRequestMetrics(
  registry: MetricsRegistry,
  identifiers: Identifiers,
  { ended: onEnded, authenticated: onUser }: RequestObserver = silent,
): RequestMetrics {
  const usernameLabel = usernameLabels(identifiers);
  const families = requestFamilies(registry);
  const inFlight = new InFlightMetrics();
  const slo = { name: 'apiserver_request_slo_duration_seconds', since: '1.23', deprecated: '1.27' };
  registry.register(
    ...Object.values(families),
    renamedFamily(families.service, { ...slo, labelNames: families.service.labelNames ?? [] }),
    inFlight.family,
  );
  const countsResources = registry.isSince(watchedResourceSince);
  const filterOf = seriesByLabel(families.filters);
  const validationOf = seriesByLabel(families.fieldValidations);
  const seriesOf = resourceSeries(families);
  const authentications = seriesOfResults(families.attempts, families.authenticationDuration);
  const authorizations = seriesOfResults(families.authorizationAttempts, families.authorizationDuration);
  const users = seriesByLabel(families.userRequests);
  return {
    inFlight,
    routed(exchange, served, part) {
      const labels = requestLabels(exchange, served);
      const series = seriesOf(served, part, labels);
      const isLong = exchange.verb === 'watch' || exchange.connect !== undefined;
      if (isLong) series.longRunning(1);
      exchange.onEnd((end) => {
        if (isLong) series.longRunning(-1);
        record(series, end, exchange);
        const validation = series.isWrite ? exchange.query.get('fieldValidation') : null;
        validationOf(validation === null ? '' : validationLabel(validation)).observe(end.durationMs / 1_000);
        if (!isLong) onEnded(exchange, end);
        if (exchange.overdue) recordOverdue(families, series, end);
      });
    },
    probed(exchange, path) {
      const verb = methodLabel(exchange.request.method ?? '');
      const values = [verb, '', '', '', path, '', ''];
      exchange.onEnd(({ status, durationMs, bytes }) => {
        families.total.with(...values, '', String(status)).add();
        families.duration.with(...values, '').observe(durationMs / 1_000);
        families.service.with(...values).observe(durationMs / 1_000);
        families.responseSizes.with(...values).observe(bytes);
      });
    },
    dropped(exchange, served) {
      families.dropped.with(inFlight.kindOf(exchange)).add();
      if (!served) return;
      const labels = requestLabels(exchange, served);
      const values = valuesOf(served, knownSubresource(exchange, served), labels);
      families.total.with(...values, labels.dryRun, '429').add();
      families.terminations.with(...values, '429').add();
    },
    notForwarded(exchange, status, resources) {
      families.terminations.with(...remoteValues(exchange, resources), String(status)).add();
    },
    eventsOf: ({ group, version, kind }, resource) => {
      const seriesOfKind = once(() => {
        const values = [group, version, countsResources ? resource : kind];
        return { count: families.watchEvents.with(...values), sizes: families.watchEventSizes.with(...values) };
      });
      return (events, bytes) => {
        const { count, sizes } = seriesOfKind();
        count.add(events);
        sizes.observe(bytes / events, events);
      };
    },
    stateSent(exchange, served) {
      const { scope } = requestLabels(exchange, served);
      const { info, version } = served;
      const series = families.watchListDuration.with(info.group, version.version, info.resource, scope);
      series.observe((performance.now() - exchange.openedMs) / 1_000);
    },
    authenticated(startMs, result, username) {
      filterOf('authentication').observe(authentications(result, startMs));
      if (username === undefined) return;
      users(usernameLabel(username)).add();
      onUser(username);
    },
    authorized: (startMs, result) => filterOf('authorization').observe(authorizations(result, startMs)),
    queued: (waitedMs) => filterOf('priorityandfairness').observe(waitedMs / 1_000),
  };
}

/** Returns the sub-resource of a path; '' if the resource has no such one. */
function knownSubresource({ path, connect }: Exchange, { version }: ServedResource): string {
  const { subresource = '' } = path.target ?? {};
  return connect || version.subresources.some(({ name }) => name === subresource) ? subresource : '';
}

/** The series of requests with the same labels. */
interface RequestSeries {
  /** The values of the labels that most families have. */
  readonly values: readonly string[];
  readonly duration: Histogram;
  /** The durations without the waits for seats and webhooks. */
  readonly service: Histogram;
  /** The body sizes of requests that change objects. */
  readonly bodySizes: Histogram | undefined;
  readonly isWrite: boolean;
  /** The sizes of responses to reads. */
  readonly sizes: Histogram | undefined;
  codeOf(status: number): Counter;
  longRunning(change: number): void;
}

/** The verb labels of body sizes, by method; methods without a body have none. */
const bodyVerbs: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  APPLY: 'patch',
  DELETE: 'delete',
};

const fieldValidations: ReadonlySet<string> = new Set(['', 'Ignore', 'Warn', 'Strict']);

/** The label value for `fieldValidation`; clients can send any text, which is bounded here. */
function validationLabel(value: string): string {
  return fieldValidations.has(value) ? value : 'invalid';
}

const sizedVerbs: ReadonlySet<string> = new Set(['GET', 'LIST', 'WATCH']);

/**
 * Finds the series of a request, at the cost of one short text and two look-ups, because a look-up
 * by all labels takes longer than all other work here.
 */
function resourceSeries(families: RequestFamilies) {
  const ofResource = memoize<ServedResource, Map<string, RequestSeries>>(() => new Map());
  return (served: ServedResource, part: NamedPart | undefined, labels: RequestLabels): RequestSeries => {
    const known = ofResource(served);
    const subresource = part?.name ?? '';
    const key = `${labels.verb} ${labels.scope} ${labels.dryRun} ${subresource}`;
    let series = known.get(key);
    if (series) return series;
    series = newSeries(families, valuesOf(served, subresource, labels), labels);
    known.set(key, series);
    noteDeprecation(families, served, part);
    return series;
  };
}

function valuesOf({ info, version }: ServedResource, subresource: string, { verb, scope }: RequestLabels): string[] {
  return [verb, info.group, version.version, info.resource, subresource, scope, component];
}

function remoteValues(exchange: Exchange, resources: readonly JsonObject[]): string[] {
  const { target } = exchange.path;
  const { verb, scope } = requestLabels(exchange, { info: { namespaced: true } });
  const known = target && resources.find((one) => stringAt(one, 'resource') === target.resource);
  if (!known) return [verb, target?.group ?? '', target?.version ?? '', '', '', target ? scope : '', aggregator];
  const { group, version, resource, subresource } = target;
  const hasPart = objectsAt(known, 'subresources').some((one) => stringAt(one, 'subresource') === subresource);
  return [verb, group, version, resource, hasPart ? subresource : '', scope, aggregator];
}

function newSeries(
  families: RequestFamilies,
  values: readonly string[],
  { verb, dryRun }: RequestLabels,
): RequestSeries {
  const [, group = '', , resource = ''] = values;
  const bodyVerb = Object.hasOwn(bodyVerbs, verb) ? bodyVerbs[verb] : undefined;
  const codes = new Map<number, Counter>();
  // The end of a watch must not create again the series that were forgotten with its resource.
  let gauges: readonly { value: number }[] | undefined;
  return {
    values,
    duration: families.duration.with(...values, dryRun),
    service: families.service.with(...values),
    bodySizes: bodyVerb === undefined ? undefined : families.bodySizes.with(group, resource, bodyVerb),
    isWrite: bodyVerb !== undefined,
    sizes: sizedVerbs.has(verb) ? families.responseSizes.with(...values) : undefined,
    codeOf(status) {
      const known = codes.get(status);
      if (known) return known;
      const counter = families.total.with(...values, dryRun, String(status));
      codes.set(status, counter);
      return counter;
    },
    longRunning(change) {
      gauges ??= [families.longRunning.with(...values), families.longRunningGauge.with(...values)];
      for (const gauge of gauges) gauge.value += change;
    },
  };
}

/** A deprecated version has the gauge from its first request on (spec 6.3). */
function noteDeprecation(
  { deprecatedApis }: RequestFamilies,
  { info, version }: ServedResource,
  part?: NamedPart,
): void {
  if (version.warning === undefined || part?.kind) return;
  const { group, resource } = info;
  const { removedRelease = '' } = version;
  deprecatedApis.with(group, version.version, resource, part?.name ?? '', removedRelease).value = 1;
}

function record(series: RequestSeries, { status, durationMs, bytes }: ExchangeEnd, exchange: Exchange): void {
  series.codeOf(status).add();
  series.duration.observe(durationMs / 1_000);
  series.service.observe((durationMs - exchange.waitedMs) / 1_000);
  if (exchange.bodyBytes > 0) series.bodySizes?.observe(exchange.bodyBytes);
  series.sizes?.observe(bytes);
}

/** A request whose time was over: it was answered with 504, or its response was broken off. */
function recordOverdue({ terminations, aborts }: RequestFamilies, { values }: RequestSeries, end: ExchangeEnd): void {
  if (end.status === 504) terminations.with(...values, '504').add();
  else if (end.aborted) aborts.with(...values.slice(0, -1)).add();
}

/** Returns the recorder of attempts by result. The recorder returns the duration in seconds. */
function seriesOfResults(attempts: MetricVector<Counter>, durations: MetricVector<Histogram>) {
  const [countOf, durationOf] = [seriesByLabel(attempts), seriesByLabel(durations)];
  return (result: string, startMs: number): number => {
    const seconds = (performance.now() - startMs) / 1_000;
    countOf(result).add();
    durationOf(result).observe(seconds);
    return seconds;
  };
}

/** Creates the function that returns the value for a user in metrics, from a small set. */
function usernameLabels({ prefix, nodeAgent }: Identifiers): (username: string) => string {
  const shown: ReadonlySet<string> = new Set([
    'admin',
    'client',
    `${prefix.replace('-', '_')}proxy`,
    nodeAgent,
    `system:serviceaccount:${prefix}system:default`,
  ]);
  return (username) => {
    if (shown.has(username)) return username;
    return username.includes('@') ? 'email_id' : 'other';
  };
}
