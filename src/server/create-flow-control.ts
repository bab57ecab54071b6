import type { Logger } from 'pino';
import { pause } from '../async/timers.ts';
import { FlowControl } from '../flowcontrol/flow-control.ts';
import { createFlowMetrics } from '../flowcontrol/flow-metrics.ts';
import { levelFamilies } from '../flowcontrol/level-families.ts';
import { compileFlowSchema, type FlowSchema } from '../flowcontrol/flow-schema.ts';
import { type LevelSettings, readLevelSettings } from '../flowcontrol/level-settings.ts';
import type { RequestFlows } from '../api/filters/fair-queuing.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';
import { isSince } from '../scheme/api-release.ts';
import type { JsonObject } from '../meta/json-value.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { Registries } from '../registry/definition/registry.ts';
import { defaultFlowSchemas, defaultPriorityLevels } from '../resources/flowcontrol/default-priority-levels.ts';
import type { ApiCache } from './cache/api-cache.ts';
import { featuresOf } from '../config/feature-gates.ts';
import { tellsDangling, writeDangling } from './post-start/flow-control-objects.ts';
import type { ServerOptions } from '../config/server-options.ts';

/** The dependencies of flow control. */
interface FlowControlDependencies extends Pick<ApiCache, 'identifiers' | 'listerOf' | 'catalogue' | 'caches'> {
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
  /** Ends the upkeep. */
  readonly signal: AbortSignal;
}

/** The flow control of a server. */
export interface ServerFlows extends RequestFlows {
  /** Keeps the statuses of flow schemas up to date until the signal aborts. */
  maintain(registries: Registries): void;
}

/** Interval of the upkeep. A young server has more urgent work. */
const upkeepMs = 1_000;

const now = (): number => performance.now();

/** Both kinds of objects, by their keys in the cache. */
interface Configuration {
  readonly schemas: Map<string, { readonly object: JsonObject; readonly compiled: FlowSchema }>;
  readonly levels: Map<string, LevelSettings>;
}

/**
 * Creates flow control from the objects of its resources. Until they are in the cache the default
 * ones apply. Undefined if it is disabled, if its resources are not served, or if requests in
 * flight are not limited at all.
 */
export function createFlowControl(
  options: ServerOptions,
  dependencies: FlowControlDependencies,
): ServerFlows | undefined {
  const { identifiers, listerOf, catalogue, caches, metrics, log, signal } = dependencies;
  const seats = options.maxRequestsInFlight + options.maxMutatingRequestsInFlight;
  const isServed = catalogue.current.resource(identifiers.flowControlGroup, 'flowschemas') !== undefined;
  const isEnabled = options.priorityAndFairness && featuresOf(options).isEnabled('APIPriorityAndFairness');
  if (!isEnabled || !isServed || seats === 0) return undefined;
  const control = new FlowControl({
    seats,
    metrics: createFlowMetrics(metrics, now),
    borrowing: isSince(options.emulatedRelease, '1.26'),
    now,
  });
  metrics.register(...levelFamilies(() => control.borrowers));
  const configuration: Configuration = { schemas: new Map(), levels: new Map() };
  let changed = true;
  const note = <Item>(map: Map<string, Item>) => {
    return (key: string, item: Item | undefined): void => {
      changed = true;
      if (item) map.set(key, item);
      else map.delete(key);
    };
  };
  const source = { group: identifiers.flowControlGroup, warm: true };
  const feeds = [
    listerOf({
      ...source,
      resource: 'flowschemas',
      read: (object) => ({ object, compiled: compileFlowSchema(object) }),
    }).follow(note(configuration.schemas)),
    listerOf({ ...source, resource: 'prioritylevelconfigurations', read: readLevelSettings }).follow(
      note(configuration.levels),
    ),
  ];
  const refresh = (): void => {
    for (const feed of feeds) feed.catchUp(signal)?.catch(() => {});
    if (changed) configure(control, configuration, identifiers, options.emulatedRelease);
    changed = false;
    control.adjust();
  };
  const writeStatuses = async (registries: Registries): Promise<void> => {
    for (const { object, compiled } of configuration.schemas.values()) {
      const levelExists = levelNames(configuration).has(compiled.priorityLevel);
      if (tellsDangling(object, levelExists)) continue;
      await writeDangling({ registries, identifiers }, object, levelExists, signal);
    }
  };
  const maintainStatuses = async (registries: Registries): Promise<void> => {
    while (!signal.aborted) {
      await pause(upkeepMs, signal, { ref: false });
      if (signal.aborted) return;
      refresh();
      try {
        await writeStatuses(registries);
      } catch (error) {
        log.debug({ err: error }, 'the status of a flow schema could not be written');
      }
    }
  };
  return {
    headers: headerNames(identifiers),
    current() {
      refresh();
      return control;
    },
    objectsOf(group, resource) {
      const storage = catalogue.current.resource(group, resource)?.storage;
      return storage ? caches.objectsAt(storage) : 0;
    },
    maintain(registries) {
      void maintainStatuses(registries);
    },
  };
}

function levelNames({ levels }: Configuration): ReadonlySet<string> {
  return new Set([...levels.values()].map(({ name }) => name));
}

/**
 * Mandatory objects apply even if they were deleted, and all default ones as long as there are
 * none.
 */
function configure(
  control: FlowControl,
  { schemas, levels }: Configuration,
  identifiers: Identifiers,
  release: string,
): void {
  const isEmpty = schemas.size === 0 && levels.size === 0;
  const applied = defaultFlowSchemas(identifiers, release).filter(({ mandatory }) => mandatory || isEmpty);
  const appliedLevels = defaultPriorityLevels(identifiers, release).filter(({ mandatory }) => mandatory || isEmpty);
  control.configure(
    byName([
      ...applied.map(({ object }) => compileFlowSchema(object)),
      ...[...schemas.values()].map(({ compiled }) => compiled),
    ]),
    byName([...appliedLevels.map(({ object }) => readLevelSettings(object)), ...levels.values()]),
  );
}

/** The last item of each name. */
function byName<Item extends { readonly name: string }>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [item.name, item])).values()];
}

function headerNames({ schemaExtensionPrefix }: Identifiers): RequestFlows['headers'] {
  // `x-cluster-` and `x-kubernetes-` begin the extensions of schemas, and these headers too.
  const prefix = schemaExtensionPrefix.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
  return { schema: `${prefix}PF-FlowSchema-UID`, level: `${prefix}PF-PriorityLevel-UID` };
}
