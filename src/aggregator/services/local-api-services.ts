import type { Logger } from 'pino';
import { pause } from '../../async/timers.ts';
import { type ApiService, apiServiceName } from '../../api/api-services/api-service.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt, sameValue, stringAt } from '../../meta/read-field.ts';
import { hasReason, systemScope } from '../../registry/internal/ensure-object.ts';
import { memoize } from '../../meta/memoize.ts';
import type { GroupInfo } from '../../registry/definition/catalogue.ts';
import type { LiveCatalogue } from '../../registry/definition/live-catalogue.ts';
import { reconcileObject } from '../../registry/internal/reconcile-object.ts';
import type { ResourceRegistry } from '../../registry/definition/registry.ts';
import { localPriorities } from '../../resources/apiregistration/apiservices/local-priorities.ts';
import type { FollowedApiServices } from './follow-api-services.ts';

/** The dependencies of the local APIServices. */
interface LocalDependencies {
  readonly followed: FollowedApiServices;
  readonly identifiers: Identifiers;
  readonly catalogue: LiveCatalogue;
  /** The resource of APIServices. */
  readonly registry: ResourceRegistry;
  /** The groups that no definition of custom resources has, with their short names. */
  readonly builtInGroups: ReadonlyMap<string, string>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The value of the label: `onstart` if written at the start only, `true` if always kept. */
type Managed = 'onstart' | 'true';

/** The number of APIServices that are written at the same time. */
const concurrency = 4;

/** How long an APIService stays after its version: another server may know of a newer one. */
const removalDelayMs = 1_000;

const retryMs = 1_000;

/** How long after the start the APIServices of custom resources are compared. */
const startDelayMs = 1_000;

/**
 * Keeps the APIServices of the versions that this server serves. Every server of a store does so,
 * with the same result. One without the label that marks it as managed is left alone.
 */
export class LocalApiServices {
  readonly #dependencies: LocalDependencies;
  readonly #label: string;
  #isDue = false;
  #isRunning = false;

  constructor(dependencies: LocalDependencies) {
    const { prefix, labelDomain } = dependencies.identifiers;
    this.#dependencies = dependencies;
    this.#label = `${prefix}aggregator.${labelDomain}/automanaged`;
  }

  /**
   * Creates the APIServices of the built-in versions and resets changed ones. With `removes`, used
   * only at the start as in kube-apiserver, it also deletes the APIServices of versions that are
   * not served.
   */
  async ensureBuiltIn({ removes }: { readonly removes: boolean }): Promise<void> {
    const objects = this.#wanted('onstart');
    await each(this.#outdated(objects), (object) => this.#put(object, 'onstart'));
    if (removes) await each(this.#superfluous('onstart', objects), (name) => this.#remove(name));
  }

  /** Keeps the APIServices of custom resources. Begins soon: clients that come back go first. */
  async keepCustom(): Promise<void> {
    const { catalogue, followed, signal } = this.#dependencies;
    await pause(startDelayMs, signal, { ref: false });
    if (signal.aborted) return;
    catalogue.onChange(() => this.#soon());
    followed.onChange((name) => {
      if (!followed.services.get(name)?.service) this.#soon();
    });
    this.#soon();
  }

  #soon(): void {
    this.#isDue = true;
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    const { log, signal } = this.#dependencies;
    this.#isRunning = true;
    while (this.#isDue && !signal.aborted) {
      this.#isDue = false;
      // The changes of one turn are handled together.
      await pause(0, signal);
      try {
        await this.#reconcileCustom();
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: error }, 'the APIServices of custom resources could not be written; trying again');
        this.#isDue = true;
        await pause(retryMs, signal, { ref: false });
      }
    }
    this.#isRunning = false;
  }

  async #reconcileCustom(): Promise<void> {
    const { signal } = this.#dependencies;
    const objects = this.#wanted('true');
    await each(this.#outdated(objects), (object) => this.#put(object, 'true'));
    if (this.#superfluous('true', objects).length === 0) return;
    await pause(removalDelayMs, signal, { ref: false });
    if (signal.aborted) return;
    await each(this.#superfluous('true', this.#wanted('true')), (name) => this.#remove(name));
  }

  /** The APIServices of the present versions, by name. This API itself has none. */
  #wanted(managed: Managed): ReadonlyMap<string, JsonObject> {
    const { catalogue, builtInGroups, registry } = this.#dependencies;
    const groups = catalogue.current.groups.filter(
      ({ group }) => builtInGroups.has(group) === (managed === 'onstart') && group !== registry.info.group,
    );
    return new Map(groups.flatMap((group) => this.#objectsOf(group)));
  }

  /** Memoized by group: with thousands of them a change of one does not make all again. */
  readonly #objectsOf = memoize(({ group, shortGroup, versions }: GroupInfo) => {
    const isBuiltIn = this.#dependencies.builtInGroups.has(group);
    const managed: Managed = isBuiltIn ? 'onstart' : 'true';
    return versions.map((version) => {
      const name = apiServiceName(group, version);
      const place = localPriorities(isBuiltIn ? shortGroup : undefined, version);
      const spec = {
        ...(group === '' ? {} : { group }),
        version,
        groupPriorityMinimum: place.groupPriority,
        versionPriority: place.versionPriority,
      };
      return [name, { metadata: { name, labels: { [this.#label]: managed } }, spec }] as const;
    });
  });

  #outdated(objects: ReadonlyMap<string, JsonObject>): readonly JsonObject[] {
    const { services } = this.#dependencies.followed;
    return [...objects].flatMap(([name, object]) => (isAsWanted(services.get(name), object) ? [] : [object]));
  }

  #superfluous(managed: Managed, objects: ReadonlyMap<string, JsonObject>): readonly string[] {
    const { byName } = this.#dependencies.followed.services.current;
    return [...byName.values()].flatMap(({ name, labels }) =>
      stringAt(labels, this.#label) === managed && !objects.has(name) ? [name] : [],
    );
  }

  #put(object: JsonObject, managed: Managed): Promise<void> {
    const { identifiers, registry, signal } = this.#dependencies;
    const { spec = {} } = object;
    return reconcileObject(registry, systemScope(identifiers, registry, signal), object, (found) => {
      if (stringAt(objectAt(found, 'metadata', 'labels'), this.#label) !== managed) return undefined;
      return sameValue(found['spec'], spec) ? undefined : { ...found, spec };
    });
  }

  async #remove(name: string): Promise<void> {
    const { identifiers, registry, signal } = this.#dependencies;
    const scope = { ...systemScope(identifiers, registry, signal), name };
    await registry.delete(scope, { dryRun: false }).catch((error: unknown) => {
      if (!hasReason(error, 'NotFound')) throw error;
    });
  }
}

function isAsWanted(one: ApiService | undefined, object: JsonObject): boolean {
  const spec = objectAt(object, 'spec');
  return (
    one !== undefined &&
    one.service === undefined &&
    one.groupPriority === spec['groupPriorityMinimum'] &&
    one.versionPriority === spec['versionPriority']
  );
}

async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async (): Promise<void> => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
