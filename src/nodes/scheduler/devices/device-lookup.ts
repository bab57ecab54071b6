import { whenAborted } from '../../../async/abort-signals.ts';
import { clientBackOff } from '../../../async/timers.ts';
import type { ApiObject } from '../../../client/api-object.ts';
import { builtInResources } from '../../../client/built-in-resources.ts';
import { discoverVersion } from '../../../client/discovery.ts';
import type { InformerFactory } from '../../../client/informers/informer-factory.ts';
import type { ResourceReference } from '../../../client/resource-path.ts';
import { type ResourceClaim, resourceClaims } from '../../../controllers/resources.ts';
import type { DeviceClass, ResourceSlice } from '../../../gen/types/resource-v1.ts';
import type { DeviceTaintRule } from '../../../gen/types/resource-v1beta2.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { followOptional } from '../../collections/optional-collection.ts';

/** The claims, device classes and devices of a cluster, for the scheduler. */
export interface DeviceLookup {
  claim(name: string, namespace: string | undefined): ResourceClaim | undefined;
  claims(): readonly ResourceClaim[];
  classOf(name: string): DeviceClass | undefined;
  classes(): readonly DeviceClass[];
  slices(): readonly ResourceSlice[];
  rules(): readonly DeviceTaintRule[];
  /** The resource of claims in the served version. */
  reference(): ResourceReference<ResourceClaim>;
  /** Resolves at the next change, or when the signal aborts. */
  nextChange(signal: AbortSignal): Promise<void>;
  /**
   * True when everything has been listed. A forbidden list counts as empty. The first call starts
   * the lists; `onChange` is called when they are complete.
   */
  isReady(): boolean;
}

interface LookupOptions {
  readonly informers: InformerFactory;
  readonly identifiers: Identifiers;
  readonly onError: (error: unknown) => void;
}

const versions = ['v1', 'v1beta2', 'v1beta1', 'v1alpha3'];

/**
 * Looks devices up in collections, which are followed only after a pod has claimed some.
 * DeviceTaintRules are optional, because most servers do not have them.
 */
export function deviceLookup(
  { informers, identifiers, onError }: LookupOptions,
  onChange: () => void,
  signal: AbortSignal,
): DeviceLookup {
  const known = builtInResources(identifiers.set);
  const claims = resourceClaims(identifiers);
  let isStarted = false;
  let change = new AbortController();
  let started: Awaited<ReturnType<typeof start>> | undefined;

  function changed(): void {
    change.abort();
    change = new AbortController();
    onChange();
  }

  function follow<T extends ApiObject>(reference: ResourceReference<T>, isOptional = false) {
    const onRefused = (error: unknown): void => {
      const why = error instanceof Error ? error.message : String(error);
      if (isOptional) return;
      onError(new Error(`pods are placed as if there were no ${reference.resource}: ${why}`, { cause: error }));
    };
    return followOptional(reference, { informers, onChange: changed, onRefused, backoff: clientBackOff }, signal);
  }

  /** Returns the versions in which the resources of the group are served. */
  async function served(): Promise<(resource: string) => string | undefined> {
    const found = await Promise.all(
      versions.map(async (version) => ({
        version,
        resources: (await discoverVersion(informers.client, claims.group, version, signal)) ?? [],
      })),
    );
    return (resource) => found.find(({ resources }) => resources.some((one) => one.resource === resource))?.version;
  }

  async function start() {
    const versionOf = await served();
    const at = <T extends ApiObject>(reference: ResourceReference<T>): ResourceReference<T> => ({
      ...reference,
      version: versionOf(reference.resource) ?? reference.version,
    });
    const found = <T extends ApiObject>(reference: ResourceReference<T>) =>
      follow(at(reference), versionOf(reference.resource) === undefined);
    return {
      reference: at(claims),
      claims: found(claims),
      classes: found(known.deviceclasses),
      slices: found(known.resourceslices),
      rules: follow(at(known.devicetaintrules), true),
    };
  }

  async function begin(): Promise<void> {
    try {
      started = await start();
      onChange();
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
      // The next pod that claims devices tries again.
      isStarted = false;
    }
  }

  return {
    claim: (name, namespace) => started?.claims.get(name, namespace),
    claims: () => started?.claims.list() ?? [],
    classOf: (name) => started?.classes.get(name),
    classes: () => started?.classes.list() ?? [],
    slices: () => started?.slices.list() ?? [],
    rules: () => started?.rules.list() ?? [],
    reference: () => started?.reference ?? claims,
    nextChange: (limit) => whenAborted(AbortSignal.any([limit, change.signal])),
    isReady() {
      if (!isStarted) {
        isStarted = true;
        void begin();
      }
      if (!started) return false;
      return [started.claims, started.classes, started.slices, started.rules].every(({ isKnown }) => isKnown);
    },
  };
}
