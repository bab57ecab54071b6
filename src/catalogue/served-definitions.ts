import { formatApiVersion } from '../meta/group-version-kind.ts';
import {
  deprecationWarning,
  type Lifecycle,
  type ResourceDefinition,
  type StorageDefinition,
  type SubresourceDefinition,
  type Verb,
  type VersionDefinition,
} from '../registry/definition/resource-definition.ts';
import { apiReleases, isSince } from '../scheme/api-release.ts';
import { disabledFieldsOf } from '../scheme/disabled-fields.ts';
import { type EmulatedRelease, fieldsRelease, hasAdditionsOf } from '../scheme/emulated-release.ts';
import { unknownFieldsOf } from '../scheme/unknown-fields.ts';
import { once } from '../meta/memoize.ts';
import { isEnabled, isNamed, type RuntimeConfig } from './runtime-config.ts';

/** The part of the API that a server serves. */
export interface ServedApi extends EmulatedRelease {
  /** The parts that `--runtime-config` enables and disables. */
  readonly runtimeConfig: RuntimeConfig;
  /** True if versions of later releases are served when the runtime configuration names them. */
  readonly namesLaterVersions: boolean;
}

/** All versions that the server knows, as of the oldest release. */
export const everyVersion: ServedApi = Object.freeze({
  release: apiReleases[0],
  forwardCompatible: true,
  isFeatureEnabled: () => true,
  runtimeConfig: new Map(),
  namesLaterVersions: false,
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
    .filter((row) => isServedVersion(definition, row, surface))
    .map((row) => versionIn(surface, definition, row));
  if (versions.length === 0) return undefined;
  return Object.freeze(withFields(withoutLaterParts({ ...definition, versions }, surface), surface));
}

function isServedVersion(definition: ResourceDefinition, row: VersionDefinition, surface: ServedApi): boolean {
  const { runtimeConfig, namesLaterVersions } = surface;
  const isForward = surface.forwardCompatible || (namesLaterVersions && isNamed(runtimeConfig, definition, row));
  const isThere = isServed(row.lifecycle, { ...surface, forwardCompatible: isForward });
  return isThere && isEnabled(runtimeConfig, definition, row);
}

function isServed(lifecycle: Lifecycle = {}, surface: EmulatedRelease): boolean {
  const { gate } = lifecycle;
  return isReleased(lifecycle, surface) && (gate === undefined || surface.isFeatureEnabled(gate));
}

function isReleased({ introduced, removed }: Lifecycle, surface: EmulatedRelease): boolean {
  if (removed !== undefined && isSince(surface.release, removed)) return false;
  return introduced === undefined || hasAdditionsOf(surface, introduced);
}

/**
 * The reason why a release has none of the resources that a key of a runtime configuration names
 * (`<group>/<version>[/<resource>]`); undefined if it has some.
 */
export function notReleased(
  known: readonly ResourceDefinition[],
  surface: EmulatedRelease,
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
  const { removed, announced = removed } = lifecycle;
  return {
    ...row,
    schema: schemaIn(surface, row),
    verbs: verbsIn(surface, row),
    subresources: row.subresources
      .filter((subresource) => isServed(subresource.lifecycle, surface))
      .map((subresource) => subresourceIn(surface, subresource)),
    ...(warning ? { warning, ...(announced ? { removedRelease: announced } : {}) } : {}),
  };
}

function verbsIn({ release, forwardCompatible }: ServedApi, { verbs, laterVerbs }: VersionDefinition): readonly Verb[] {
  if (laterVerbs === undefined || forwardCompatible) return verbs;
  return verbs.filter((verb) => isSince(release, laterVerbs[verb] ?? release));
}

function subresourceIn(surface: ServedApi, subresource: SubresourceDefinition): SubresourceDefinition {
  const { kind } = subresource;
  if (!kind) return subresource;
  const versions = kind.versions
    .filter(({ lifecycle }) => isServed(lifecycle, surface))
    .map((version) => ({ ...version, schema: schemaIn(surface, version) }));
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

/** The schema of a version, with the fields of the served release. */
function schemaIn(
  surface: EmulatedRelease,
  { schema }: Pick<VersionDefinition, 'schema'>,
): () => ReturnType<VersionDefinition['schema']> {
  return once(() => schema(fieldsRelease(surface)));
}

/** The definition with the fields of the release; fields of disabled features are dropped. */
function withFields(definition: ResourceDefinition, surface: EmulatedRelease): ResourceDefinition {
  const { storage } = definition;
  if (!storage) return { ...definition, emulated: surface };
  const schema = schemaIn(surface, storage);
  const drop = once(() => disabledFieldsOf(schema(), surface.isFeatureEnabled));
  const dropOthers = once(() => unknownFieldsOf(schema().name, fieldsRelease(surface)));
  return {
    ...definition,
    storage: { ...storage, schema },
    emulated: surface,
    dropDisabled: async (object, old) => {
      await dropOthers().yielding(object);
      drop()(object, old);
    },
    dropUnknown: (object) => dropOthers().now(object),
  };
}

/**
 * Reduces a definition to the columns and rules of a release: a column that it does not have is not
 * shown, and the strategy has the hooks of the release.
 */
function withoutLaterParts(definition: ResourceDefinition, surface: EmulatedRelease): ResourceDefinition {
  const { earlierRules, table, ...rest } = definition;
  const earlier = [earlierRules ?? []]
    .flat()
    .filter(
      ({ before, gate }) => !hasAdditionsOf(surface, before) || (gate !== undefined && !surface.isFeatureEnabled(gate)),
    );
  const columns = table?.columns.filter(
    ({ since = '1.0', until }) =>
      hasAdditionsOf(surface, since) && (until === undefined || !hasAdditionsOf(surface, until)),
  );
  return {
    ...rest,
    ...(table && columns ? { table: columns.length < table.columns.length ? { ...table, columns } : table } : {}),
    strategy: Object.assign(
      {},
      definition.strategy,
      ...earlier.map(({ hooks }) => hooks),
    ) as typeof definition.strategy,
  };
}
