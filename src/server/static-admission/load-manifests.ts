import type { StaticObjects } from '../../admission/static-objects.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { nameOf } from '../../meta/object-meta.ts';
import { objectsAt, stringAt } from '../../meta/read-field.ts';
import type { Registries, ResourceRegistry } from '../../registry/definition/registry.ts';
import { systemScope, systemWrite } from '../../registry/internal/ensure-object.ts';
import { checkManifests, type Manifest } from './check-manifests.ts';
import { type ManifestDocument, readManifestFiles } from './manifest-files.ts';

/** The objects of a folder. */
export interface LoadedManifests {
  readonly objects: StaticObjects['current'];
  /** Identifies the contents of the files. */
  readonly hash: string;
}

/** A folder, and what its files may have. */
interface ManifestSettings {
  readonly folder: string;
  readonly resources: readonly string[];
  /** The end of all names. */
  readonly suffix: string;
  readonly identifiers: Identifiers;
  readonly registries: Registries;
  readonly signal: AbortSignal;
}

/**
 * Reads the objects of a folder, completes and validates them. Returns undefined if the files are
 * those of `last`. Rejects with an Error if an object is not usable: all are taken, or none.
 */
export async function loadManifests(
  settings: ManifestSettings,
  last: LoadedManifests | undefined,
): Promise<LoadedManifests | undefined> {
  const files = await readManifestFiles(settings.folder, last?.hash);
  if (!files) return undefined;
  const registries = registriesOf(settings);
  const found: Manifest[] = [];
  for (const { file, content } of files.documents) {
    for (const document of documentsIn(content))
      found.push(await complete(settings, registries, { file, content: document }));
  }
  checkManifests(found, settings.suffix);
  const sorted = found.toSorted((a, b) => (nameOf(a.object) < nameOf(b.object) ? -1 : 1));
  const objects = new Map(
    settings.resources.map((name) => [
      name,
      sorted.flatMap(({ resource, object }) => (resource === name ? [object] : [])),
    ]),
  );
  return { objects, hash: files.hash };
}

/** The objects of a list, of any kind. */
function documentsIn(content: JsonObject): readonly JsonObject[] {
  const kind = stringAt(content, 'kind');
  if (!kind.endsWith('List') || !Array.isArray(content['items'])) return [content];
  const type: JsonObject =
    kind === 'List' ? {} : { apiVersion: stringAt(content, 'apiVersion'), kind: kind.slice(0, -'List'.length) };
  return objectsAt(content, 'items').flatMap((item) => documentsIn({ ...type, ...item }));
}

function registriesOf({ resources, registries, identifiers }: ManifestSettings): readonly ResourceRegistry[] {
  return resources.flatMap((resource) => {
    const registry = registries.forResource(`admissionregistration.${identifiers.apiDomain}`, resource);
    return registry ? [registry] : [];
  });
}

async function complete(
  { identifiers, signal }: ManifestSettings,
  registries: readonly ResourceRegistry[],
  { file, content }: ManifestDocument,
): Promise<Manifest> {
  const [kind, apiVersion] = [stringAt(content, 'kind'), stringAt(content, 'apiVersion')];
  const registry = registries.find(({ info }) => info.kind === kind && apiVersion === `${info.group}/v1`);
  if (!registry) throw new Error(`error loading ${file}: unsupported resource type ${apiVersion}, Kind=${kind}`);
  const scope = { ...systemScope(identifiers, registry, signal), version: 'v1' };
  try {
    const object = await registry.complete(scope, content, { ...systemWrite(identifiers), fieldValidation: 'Strict' });
    return { file, resource: registry.info.resource, kind, object };
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`error loading ${file}: ${problem}`, { cause });
  }
}
