import type { Invocation } from '../../command.ts';
import type { diffFlags } from './flags.ts';
import type { Client } from '../../../client/client.ts';
import type { DiscoveredResource } from '../../../client/discovery.ts';
import { ignoreReasons } from '../../../client/error-of-response.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { parseLabelSelector } from '../../../meta/label-selector.ts';
import { stringEntriesAt } from '../../../meta/read-field.ts';
import { CliError, errorLine } from '../../cli-error.ts';
import { withClient } from '../../connect.ts';
import { dryApply } from '../../objects/client-side-fields.ts';
import { readManifestFiles } from '../../manifests/manifest-files.ts';
import { createResourceFinder, manifestNamespace } from '../../manifests/manifest-resource.ts';
import { printYaml } from '../../printers/yaml.ts';
import { withProgress } from '../../progress.ts';
import { type Manifest, parseManifests } from '../../manifests/read-manifests.ts';
import { partAt, plain, textAt } from './describe/parts/values.ts';
import type { ObjectComparison } from './diff/object-comparison.ts';
import { type ComparedObject, showDifferences } from './diff/show-differences.ts';
import { hiddenAnnotations } from './describe/parts/fields.ts';

type DiffInvocation = Invocation<typeof diffFlags>;

/** The exit codes for differences and for failures, which scripts must be able to distinguish. */
const codes = Object.freeze({ differences: 1, failure: 2 });

/**
 * `cl diff`: shows what applying files would change, by a dry run in the server, or what changed
 * between two revisions.
 */
export async function diff(invocation: DiffInvocation): Promise<void> {
  const { io } = invocation;
  let isDifferent: boolean;
  try {
    isDifferent = await (invocation.options.revisions === undefined
      ? compareAll(invocation)
      : compareStates(invocation));
  } catch (error) {
    if (io.signal.aborted) throw error;
    io.stderr.write(`${errorLine(error)}\n`);
    const exitCode = error instanceof CliError && error.exitCode > 1 ? error.exitCode : codes.failure;
    throw new CliError('the comparison failed', { silent: true, exitCode, cause: error });
  }
  if (isDifferent) throw new CliError('there are differences', { silent: true, exitCode: codes.differences });
}

async function compareStates(invocation: DiffInvocation): Promise<boolean> {
  const { compareRevisions } = await import('./diff/compare-revisions.ts');
  const { sides, compared } = await compareRevisions(invocation);
  return showDifferences(
    compared.map((each) => textsOf(each, invocation.options)),
    invocation.io,
    sides,
  );
}

async function compareAll({ words, options, io }: DiffInvocation): Promise<boolean> {
  if (words.length > 0) {
    throw new CliError('words are the objects of --revisions', { hint: 'give files with -f, or revisions' });
  }
  if (options.filename.length === 0 && !options.kustomize) throw new CliError('must specify one of -f and -k');
  // Files without objects have no differences.
  const files = await readManifestFiles(options, io);
  const manifests = (await Promise.all(files.map((file) => parseManifests(file, io.signal))))
    .flat()
    .filter(selects(options.selector));
  return withClient({ options, io }, async (client) => {
    const find = createResourceFinder(client, io.signal);
    const compareOne = async (manifest: Manifest): Promise<ObjectComparison> => {
      const namespace = manifestNamespace(manifest, options.namespace) ?? client.settings.namespace;
      return compare(client, { manifest, resource: await find(manifest), namespace }, { options, io });
    };
    const compared: ObjectComparison[] = [];
    await withProgress(io, async (report) => {
      for (let at = 0; at < manifests.length; at += options.concurrency) {
        report(`${at} of ${manifests.length} objects are compared`);
        const batch = manifests.slice(at, at + options.concurrency);
        compared.push(...(await Promise.all(batch.map(compareOne))));
      }
    });
    if (options.prune) {
      const { findPruned } = await import('../write/apply/find-pruned.ts');
      const session = { client, options, io };
      const applied = compared.flatMap(({ resource, after }) => (after ? [{ resource, object: after }] : []));
      for await (const { resource, object } of findPruned(session, options, applied)) {
        compared.push({ resource, before: object, after: undefined });
      }
    }
    const objects = compared.map((each) => textsOf(each, options));
    return showDifferences(objects, io);
  });
}

function selects(selector: string | undefined): (manifest: Manifest) => boolean {
  if (!selector) return () => true;
  const matches = parseLabelSelector(selector);
  return ({ object }) => matches(Object.fromEntries(stringEntriesAt(partAt(object, 'metadata'), 'labels')));
}

interface ComparedManifest {
  readonly manifest: Manifest;
  readonly resource: DiscoveredResource;
  readonly namespace: string;
}

async function compare(
  client: Client,
  { manifest: { object, where }, resource, namespace }: ComparedManifest,
  { options, io }: Pick<DiffInvocation, 'options' | 'io'>,
): Promise<ObjectComparison> {
  const name = textAt(object, 'metadata.name');
  if (!name) throw new CliError(`${where}: metadata.name must be set`);
  const objects = client.resource(resource);
  const place = { ...(resource.namespaced ? { namespace } : {}), signal: io.signal };
  // The codec of the client returns JSON values.
  const before = (await ignoreReasons(objects.get(name, place), 'NotFound')) as JsonObject | undefined;
  const { fieldManager, forceConflicts } = options;
  const write = { ...place, fieldManager, dryRun: true, fieldValidation: 'Strict' } as const;
  const after = (await dryApply(forceConflicts, (force) => objects.apply(object, { ...write, force }))) as JsonObject;
  return { resource, before, after };
}

function textsOf({ resource, before, after }: ObjectComparison, options: DiffInvocation['options']): ComparedObject {
  const [one, other] = options.showSecrets ? [before, after] : maskSecret(resource.kind, [before, after]);
  const text = (state: JsonObject | undefined) =>
    state === undefined ? '' : printYaml(options.showManagedFields ? state : withoutManagers(state));
  const { group, version, kind } = resource;
  const { namespace = '', name = '' } = partAt(after ?? before ?? {}, 'metadata');
  const parts = [...(group ? [group] : []), version, kind, plain(namespace), plain(name)];
  return { name: parts.join('.'), before: text(one), after: text(other) };
}

function withoutManagers(object: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = partAt(object, 'metadata');
  return { ...object, metadata };
}

const mask = '***';

/** The state of an object before and after. */
type States = readonly [before: JsonObject | undefined, after: JsonObject | undefined];

/** Masks the values of Secrets: only keys are shown, and whether a value changes. */
function maskSecret(kind: string, [before, after]: States): States {
  if (kind !== 'Secret') return [before, after];
  return [before && masked(before, after, `${mask} (before)`), after && masked(after, before, `${mask} (after)`)];
}

function masked(object: JsonObject, other: JsonObject | undefined, changed: string): JsonObject {
  const metadata = isJsonObject(object.metadata) ? object.metadata : {};
  const annotations = isJsonObject(metadata.annotations) ? metadata.annotations : undefined;
  return {
    ...object,
    ...Object.fromEntries(
      ['data', 'stringData']
        .filter((key) => key in object)
        .map((key) => [key, maskedMap(object[key], other?.[key], changed)]),
    ),
    metadata: { ...metadata, ...(annotations ? { annotations: maskedAnnotations(annotations) } : {}) },
  };
}

function maskedMap(map: JsonValue | undefined, other: JsonValue | undefined, changed: string): JsonValue {
  if (!isJsonObject(map)) return map === null || map === undefined ? null : mask;
  const known = isJsonObject(other) ? other : {};
  const value = (key: string) => (Object.hasOwn(known, key) && known[key] !== map[key] ? changed : mask);
  return Object.fromEntries(Object.keys(map).map((key) => [key, value(key)]));
}

/** Masks the annotation of client-side apply, which contains the values too. */
function maskedAnnotations(annotations: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [key, hiddenAnnotations.has(key) ? mask : value]),
  );
}
