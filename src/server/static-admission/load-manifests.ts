import type { StaticObjects } from '../../admission/static-objects.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { nameOf } from '../../meta/object-meta.ts';
import { objectsAt, stringAt } from '../../meta/read-field.ts';
import type { Registries, ResourceRegistry } from '../../registry/definition/registry.ts';
import { systemScope, systemWrite } from '../../registry/internal/ensure-object.ts';
import { checkManifests, type Manifest } from './check-manifests.ts';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { parseConfigurationObject } from '../../config/configuration-file.ts';

/** The objects of a manifest folder. */
export interface LoadedManifests {
  readonly objects: StaticObjects['current'];
  /** A hash of the files' contents. */
  readonly hash: string;
}

/** A manifest folder, and the kinds that its files may contain. */
interface ManifestSettings {
  readonly folder: string;
  readonly resources: readonly string[];
  /** The required suffix of all names. */
  readonly suffix: string;
  readonly identifiers: Identifiers;
  readonly registries: Registries;
  readonly signal: AbortSignal;
}

/**
 * Reads, completes and validates the objects of a folder. Returns undefined if the files equal
 * `last`. Rejects with an Error if any object is invalid.
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

/** The objects of a List of any kind. */
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

/** The documents of a manifest folder. */
interface ManifestFiles {
  readonly documents: readonly ManifestDocument[];
  /** A hash of the files' contents; '' without files. */
  readonly hash: string;
}

/** A document with its file. */
interface ManifestDocument {
  readonly file: string;
  readonly content: JsonObject;
}

const extensions: ReadonlySet<string> = new Set(['.json', '.yaml', '.yml']);

/** The limit of the total size of a manifest folder. */
const mostBytes = 32 * 1024 * 1024;

/**
 * Reads the YAML and JSON files of a folder in the order of their names; sub-folders are ignored.
 * Rejects if a file cannot be read or the total is too large.
 */
async function readManifestFiles(folder: string, known = ''): Promise<ManifestFiles | undefined> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) =>
    !entry.isDirectory() && extensions.has(extname(entry.name).toLowerCase()) ? [entry.name] : [],
  );
  const hash = createHash('sha256');
  const texts: { readonly file: string; readonly text: string }[] = [];
  let bytes = 0;
  for (const name of names.toSorted()) {
    const file = join(folder, name);
    const content = await readFile(file);
    if (content.length === 0) continue;
    bytes += content.length;
    if (bytes > mostBytes) throw new Error(`the manifests of ${folder} exceed ${mostBytes} bytes`);
    hash.update(content).update('\0');
    texts.push({ file, text: content.toString('utf8') });
  }
  const found = texts.length === 0 ? '' : `sha256:${hash.digest('hex')}`;
  if (found === known && known !== '') return undefined;
  return { hash: found, documents: texts.flatMap(documentsOf) };
}

const separator = /^---[ \t]*\r?$/m;

function documentsOf({ file, text }: { readonly file: string; readonly text: string }): readonly ManifestDocument[] {
  return text.split(separator).flatMap((part) => {
    if (part.trim() === '') return [];
    try {
      return [{ file, content: parseConfigurationObject(part) }];
    } catch (cause) {
      const problem = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`error loading ${file}: ${problem}`, { cause });
    }
  });
}
