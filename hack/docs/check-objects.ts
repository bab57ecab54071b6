import { type Client, createClient, createResourceMapper, type GenericObject } from '../../src/client/index.ts';
import { yamlLibrary } from '../../src/codec/yaml-library.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/meta/json-value.ts';
import { objectAt, stringAt } from '../../src/meta/read-field.ts';
import { startServer } from '../../src/testing/index.ts';
import { shellLanguages } from './check-commands.ts';
import { faultOfConfiguration, isConfiguration } from './configuration-files.ts';
import type { CodeBlock, Page } from './markdown.ts';
import { shellLines } from './shell-lines.ts';

/** An object of a page, and the place of its block. */
interface FoundObject {
  readonly place: string;
  readonly object: JsonObject;
}

/**
 * A finding for each object in YAML or JSON that a server refuses in a dry run with strict
 * validation of fields, and each configuration file that its program refuses. The custom kinds of
 * all pages are known to all. A block marked `fragment` is only parsed.
 */
export async function findRefusedObjects(pages: readonly Page[]): Promise<string[]> {
  const findings: string[] = [];
  const objects = pages.flatMap((page) => page.blocks.flatMap((block) => objectsOf(block, findings)));
  const sets = [false, true].map((published) => objects.filter(({ object }) => isPublished(object) === published));
  for (const [index, set] of sets.entries()) {
    if (set.length > 0) findings.push(...(await tryObjects(set, index === 0 ? 'cluster' : 'kubernetes')));
  }
  return findings;
}

/** Reports whether an object has the names of Kubernetes; other objects are the same in both sets. */
function isPublished(object: JsonObject): boolean {
  return /\.k8s\.io|kubernetes\.io/.test(JSON.stringify(object));
}

function objectsOf(block: CodeBlock, findings: string[]): FoundObject[] {
  const place = `${block.page}:${block.line}`;
  return textsOf(block).flatMap((text) => {
    const documents = yamlLibrary().parseAllDocuments(text);
    const broken = [...documents].flatMap(({ errors }) => errors.slice(0, 1));
    findings.push(...broken.map(({ message }) => `${place}: ${message.split('\n')[0]}`));
    if (broken.length > 0 || block.marks.has('fragment')) return [];
    const values = [...documents].map((document) => document.toJS({ maxAliasCount: 0 }) as JsonValue);
    return values.flatMap((value): FoundObject[] => {
      if (isJsonObject(value) && typeof value['kind'] === 'string') return [{ place, object: value }];
      if (isKnownFile(block)) return [];
      findings.push(`${place}: not an object with apiVersion and kind; mark what is no object as fragment`);
      return [];
    });
  });
}

/** Files of other programs that are only parsed. */
function isKnownFile({ settings: { file = '' }, language }: CodeBlock): boolean {
  return language === 'json' || /(?:compose|values|package|tsconfig|Chart)\b/.test(file);
}

/** The texts of a block that are YAML or JSON: all of it, or what its commands read. */
function textsOf({ language, marks, settings, text, line }: CodeBlock): string[] {
  const isExtract = settings['from'] !== undefined && marks.has('fragment');
  if (marks.has('unchecked') || isExtract) return [];
  if (['yaml', 'yml', 'json'].includes(language)) return [text];
  if (language === '' && /^(?:#.*\n)*apiVersion:/.test(text)) return [text];
  if (!shellLanguages.has(language)) return [];
  return shellLines(text, line).flatMap(({ input }) => (/^apiVersion:/m.test(input) ? [input] : []));
}

async function tryObjects(objects: readonly FoundObject[], identifiers: 'cluster' | 'kubernetes'): Promise<string[]> {
  // Stand-in nodes define the kind Stage.
  const nodes = objects.some(({ object }) => object['kind'] === 'Stage') ? 1 : 0;
  await using server = await startServer({ identifiers, nodes });
  const client = createClient(server.connection);
  try {
    const findings: string[] = [];
    const isNeeded = ({ object: { kind } }: FoundObject): boolean =>
      kind === 'CustomResourceDefinition' || kind === 'Namespace';
    for (const { place, object } of [...objects.filter(isNeeded), ...objects.filter((each) => !isNeeded(each))]) {
      const fault = isConfiguration(object)
        ? await faultOfConfiguration(object, identifiers)
        : await faultOf(client, object, !isNeeded({ place, object }));
      if (fault !== undefined) findings.push(`${place}: ${fault}`);
    }
    return findings;
  } finally {
    await client.close();
  }
}

/** Writes what other objects need, and tries the others. */
async function faultOf(client: Client, object: JsonObject, dryRun: boolean): Promise<string | undefined> {
  // Each of its kind may define others.
  const mapper = createResourceMapper(client);
  const [apiVersion, kind] = [stringAt(object, 'apiVersion'), stringAt(object, 'kind')];
  const metadata = objectAt(object, 'metadata');
  try {
    const resource = await mapper.resourceOf(apiVersion, kind);
    const namespace = stringAt(metadata, 'namespace') || 'default';
    if (resource.namespaced && namespace !== 'default') await makeNamespace(client, namespace);
    const options = {
      dryRun,
      fieldValidation: 'Strict',
      fieldManager: 'docs',
      ...(resource.namespaced ? { namespace } : {}),
    } as const;
    // The values were parsed from JSON or YAML.
    const value = object as GenericObject;
    if (stringAt(metadata, 'name') === '') await client.resource(resource).create(value, options);
    else await client.resource(resource).apply(value, { ...options, force: true });
    if (kind === 'CustomResourceDefinition') await untilServed(client, stringAt(metadata, 'name'), resource);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const namespaces = { group: '', version: 'v1', resource: 'namespaces', namespaced: false };

async function makeNamespace(client: Client, name: string): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await client.resource(namespaces).apply(namespace, { fieldManager: 'docs', force: true });
}

/** Waits until a definition has the condition Established. */
async function untilServed(client: Client, name: string, resource: typeof namespaces): Promise<void> {
  const signal = AbortSignal.timeout(30_000);
  const watch = client.resource(resource).watch({ fieldSelector: `metadata.name=${name}`, signal });
  for await (const { object } of watch) {
    if (/"Established","?[^}]*"status":"True"|"status":"True"[^}]*"Established"/.test(JSON.stringify(object))) return;
  }
}
