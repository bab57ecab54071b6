import { formatApiVersion } from '../meta/group-version-kind.ts';
import {
  deprecationWarning,
  type Lifecycle,
  type ResourceDefinition,
  type StorageDefinition,
  type SubresourceDefinition,
  type VersionDefinition,
} from '../registry/definition/resource-definition.ts';
import { type ApiRelease, apiReleases, isSince } from '../scheme/api-release.ts';
import { isEnabled, type RuntimeConfig } from './runtime-config.ts';
import { isJsonObject, type JsonObject } from '../meta/json-value.ts';
import type { Strategy } from '../registry/definition/strategy.ts';

/** The versions that a server can serve. */
export interface ReleasedVersions {
  /** The release that decides which versions are served and which are deprecated (spec 9.3). */
  readonly release: ApiRelease;
  /** True if the versions of later releases are served, too. */
  readonly forwardCompatible: boolean;
  /** True if a feature gate is on. */
  readonly isFeatureEnabled: (gate: string) => boolean;
}

/** The part of the API that a server serves. */
export interface ServedApi extends ReleasedVersions {
  /** The parts that `--runtime-config` enables and disables. */
  readonly runtimeConfig: RuntimeConfig;
}

/** All versions that the server knows, as of the oldest release. */
export const everyVersion: ServedApi = Object.freeze({
  release: apiReleases[0],
  forwardCompatible: true,
  isFeatureEnabled: () => true,
  runtimeConfig: new Map(),
});

/**
 * Reduces definitions with all known versions to the served ones, with the warnings of the release.
 * Resources without a served version are left out. If a resource is stored in a version that is not
 * served, its objects are written in one that is: `writtenAs`.
 */
export function servedDefinitions(
  known: readonly ResourceDefinition[],
  surface: ServedApi,
): readonly ResourceDefinition[] {
  const served = known.flatMap((definition) => reduced(definition, surface) ?? []);
  return served.map((definition) => withWrittenVersion(definition, served));
}

function reduced(definition: ResourceDefinition, surface: ServedApi): ResourceDefinition | undefined {
  const versions = definition.versions
    .filter((row) => isServed(row.lifecycle, surface) && isEnabled(surface.runtimeConfig, definition, row))
    .map((row) => versionIn(surface, definition, row));
  if (versions.length === 0) return undefined;
  return Object.freeze(withoutLaterFields({ ...definition, versions }, surface));
}

function isServed(lifecycle: Lifecycle = {}, surface: ReleasedVersions): boolean {
  const { gate } = lifecycle;
  return isReleased(lifecycle, surface) && (gate === undefined || surface.isFeatureEnabled(gate));
}

function isReleased({ introduced, removed }: Lifecycle, { release, forwardCompatible }: ReleasedVersions): boolean {
  if (removed !== undefined && isSince(release, removed)) return false;
  return forwardCompatible || introduced === undefined || isSince(release, introduced);
}

/**
 * The reason why a release has none of the resources that a key of a runtime configuration names
 * (`<group>/<version>[/<resource>]`); undefined if it has some.
 */
export function notReleased(
  known: readonly ResourceDefinition[],
  surface: ReleasedVersions,
  key: string,
): string | undefined {
  const [group, version, resource] = key.split('/');
  const lifecycles = known
    .filter((definition) => definition.group === group && (resource ?? definition.resource) === definition.resource)
    .flatMap(({ versions }) => versions.filter((row) => row.version === version))
    .map(({ lifecycle = {} }) => lifecycle);
  if (lifecycles.some((lifecycle) => isServed(lifecycle, surface))) return undefined;
  const gated = lifecycles.find((lifecycle) => isReleased(lifecycle, surface));
  if (gated) return `it needs the feature gate ${gated.gate}`;
  const gone = lifecycles.flatMap(({ removed }) => (removed && isSince(surface.release, removed) ? [removed] : []));
  const last = gone.toSorted((a, b) => (isSince(a, b) ? -1 : 1)).at(0);
  const when = last === undefined ? `is introduced in ${lifecycles[0]?.introduced}` : `was removed in ${last}`;
  return `it ${when}, and the emulated release is ${surface.release}`;
}

function versionIn(surface: ServedApi, { group, kind }: ResourceDefinition, row: VersionDefinition): VersionDefinition {
  const { lifecycle = {}, version } = row;
  const warning = deprecationWarning(
    lifecycle,
    { apiVersion: formatApiVersion(group, version), kind },
    surface.release,
  );
  const { removed } = lifecycle;
  return {
    ...row,
    subresources: row.subresources
      .filter((subresource) => isServed(subresource.lifecycle, surface))
      .map((subresource) => subresourceIn(surface, subresource)),
    ...(warning ? { warning, ...(removed ? { removedRelease: removed } : {}) } : {}),
  };
}

function subresourceIn(surface: ServedApi, subresource: SubresourceDefinition): SubresourceDefinition {
  const { kind } = subresource;
  if (!kind) return subresource;
  const versions = kind.versions.filter(({ lifecycle }) => isServed(lifecycle, surface));
  return { ...subresource, kind: { ...kind, versions, version: versions[0]?.version ?? kind.version } };
}

function withWrittenVersion(definition: ResourceDefinition, served: readonly ResourceDefinition[]): ResourceDefinition {
  const { storage } = definition;
  const writtenAs = storage && writtenVersion(storage, served);
  return writtenAs ? Object.freeze({ ...definition, storage: { ...storage, writtenAs } }) : definition;
}

/**
 * The version in which objects are written; undefined if that is the version of the storage. All
 * resources that share the storage choose the same: the preferred version of the storage's group,
 * or of the first other group.
 */
function writtenVersion(
  storage: StorageDefinition,
  served: readonly ResourceDefinition[],
): StorageDefinition['writtenAs'] {
  const sharing = served.filter((one) => one.storage && isSameStorage(one.storage, storage));
  const versions = [
    ...sharing.filter(({ group }) => group === storage.group),
    ...sharing.filter(({ group }) => group !== storage.group),
  ].flatMap(({ group, versions: rows }) => rows.map(({ version }) => ({ group, version })));
  const isHub = versions.some(({ group, version }) => group === storage.group && version === storage.version);
  return isHub ? undefined : versions[0];
}

function isSameStorage(one: StorageDefinition, other: StorageDefinition): boolean {
  return one.group === other.group && one.resource === other.resource;
}

/** The release whose API is served. */
interface Release {
  readonly release: string;
  /** True if fields and columns of later releases are served, too. */
  readonly forwardCompatible: boolean;
}

/**
 * Reduces a definition to the fields, columns and rules of a release: a later field is reset in new
 * objects, as by a server that does not know it, a later column is not shown, and the strategy has
 * the hooks of the release.
 */
function withoutLaterFields(
  definition: ResourceDefinition,
  { release, forwardCompatible }: Release,
): ResourceDefinition {
  if (forwardCompatible) return definition;
  const { laterFields = {}, earlierRules, table, ...rest } = definition;
  const later = Object.keys(laterFields).filter((path) => !isSince(release, laterFields[path] ?? ''));
  const isEarlier = earlierRules !== undefined && !isSince(release, earlierRules.before);
  const strategy = isEarlier ? { ...definition.strategy, ...earlierRules.hooks } : definition.strategy;
  const columns = table?.columns.filter(({ since }) => since === undefined || isSince(release, since));
  return {
    ...rest,
    ...(table && columns ? { table: columns.length < table.columns.length ? { ...table, columns } : table } : {}),
    strategy: later.length > 0 ? resetting(strategy, later) : strategy,
  };
}

function resetting(strategy: Strategy, paths: readonly string[]): Strategy {
  return {
    ...strategy,
    prepareForCreate(object, context) {
      for (const path of paths) removeField(object, path.split('.'));
      strategy.prepareForCreate?.(object, context);
    },
  };
}

/** Removes a field, in place. */
function removeField(object: JsonObject, [name = '', ...rest]: readonly string[]): void {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (rest.length === 0) delete object[name];
  else if (isJsonObject(value)) removeField(value, rest);
}
