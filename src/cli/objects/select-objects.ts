import type { ApiObject } from '../../client/api-object.ts';
import type { DiscoveredResource } from '../../client/discovery.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { nameOf } from '../../meta/object-meta.ts';
import { CliError } from '../cli-error.ts';
import type { Session } from '../find-type.ts';
import { createResourceFinder, manifestNamespace } from '../manifests/manifest-resource.ts';
import { type Manifest, readManifests } from '../manifests/read-manifests.ts';
import { readTargets } from '../targets.ts';

/** The flags and words that select objects. */
export interface Selection {
  readonly words: readonly string[];
  readonly filename: readonly string[];
  readonly recursive?: boolean;
  readonly kustomize?: string | undefined;
  readonly selector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly all?: boolean;
  /** All objects of a type without names. */
  readonly allIfUnnamed?: boolean;
  readonly allNamespaces?: boolean;
}

/** An object that a command is about. */
export interface SelectedObject {
  readonly resource: DiscoveredResource;
  readonly name: string;
  /** The namespace; undefined for cluster-scoped objects. */
  readonly namespace: string | undefined;
  /** The object of the file, if it was selected by one. */
  readonly manifest?: Manifest;
  /** The object as the server has it. */
  readonly load: () => Promise<JsonObject>;
}

/** Reports whether a selection has files. */
export function hasFiles({ filename, kustomize }: Selection): boolean {
  return filename.length > 0 || Boolean(kustomize);
}

/**
 * The objects that words, selectors or files select. An object that was named is read when it is
 * loaded, so that a missing one concerns no other.
 */
export async function selectObjects(session: Session, selection: Selection): Promise<SelectedObject[]> {
  if (!hasFiles(selection)) return fromWords(session, selection);
  if (selection.words.length > 0) {
    throw new CliError('names and files cannot be given together', { hint: 'leave out the words, or -f' });
  }
  return fromFiles(session, selection);
}

async function fromFiles(session: Session, selection: Selection): Promise<SelectedObject[]> {
  const { client, io, options } = session;
  const manifests = await readManifests(selection, io);
  const find = createResourceFinder(client, io.signal);
  const matches = await labelMatcher(selection.selector);
  return Promise.all(
    manifests
      .filter(({ object }) => matches(object))
      .map(async (manifest) => {
        const resource = await find(manifest);
        const name = nameOf(manifest.object);
        if (!name) throw new CliError(`${manifest.where}: metadata.name must be set`);
        const namespace = resource.namespaced
          ? (manifestNamespace(manifest, options.namespace) ?? client.settings.namespace)
          : undefined;
        return selected(session, resource, { name, namespace, manifest });
      }),
  );
}

/** A predicate for the labels of a manifest. */
export async function labelMatcher(selector: string | undefined): Promise<(object: JsonObject) => boolean> {
  if (!selector) return () => true;
  const { parseLabelSelector } = await import('../../meta/label-selector.ts');
  const { labelsOf } = await import('../../meta/object-meta.ts');
  const matches = parseLabelSelector(selector);
  return (object) => matches(labelsOf(object));
}

async function fromWords(session: Session, selection: Selection): Promise<SelectedObject[]> {
  const { words, selector, fieldSelector, all = false, allNamespaces = false, allIfUnnamed = false } = selection;
  if (words.length === 0) {
    throw new CliError('no objects were named', { hint: 'give TYPE/NAME, TYPE NAME, TYPE -l SELECTOR, or -f FILE' });
  }
  if (all && (selector || fieldSelector)) {
    throw new CliError('--all and a selector exclude each other', {
      hint: '-l and --field-selector select without --all',
    });
  }
  const { client } = session;
  const found: SelectedObject[] = [];
  for (const { resource, names } of await readTargets(session, words)) {
    const isSelected = Boolean(selector || fieldSelector || all || (allIfUnnamed && names.length === 0));
    if (names.length > 0 && isSelected) {
      throw new CliError('name cannot be provided when a selector is specified', {
        hint: 'give names, or -l, or --all',
      });
    }
    if (names.length === 0 && !isSelected) {
      throw new CliError('resource(s) were provided, but no name was specified', { hint: 'give names, -l, or --all' });
    }
    if (names.length > 0 && allNamespaces)
      throw new CliError('a resource cannot be retrieved by name across all namespaces');
    const namespace = resource.namespaced && !allNamespaces ? client.settings.namespace : undefined;
    found.push(...names.map((name) => selected(session, resource, { name, namespace })));
    if (isSelected) found.push(...(await listed(session, resource, { selector, fieldSelector, namespace })));
  }
  return found;
}

interface ListedBy {
  readonly selector: string | undefined;
  readonly fieldSelector: string | undefined;
  readonly namespace: string | undefined;
}

async function listed(session: Session, resource: DiscoveredResource, by: ListedBy): Promise<SelectedObject[]> {
  const { client, io } = session;
  const query = { labelSelector: by.selector, fieldSelector: by.fieldSelector, namespace: by.namespace };
  const found: SelectedObject[] = [];
  for await (const { items } of client.resource(resource).pages({ ...query, signal: io.signal })) {
    for (const item of items) {
      const { name = '', namespace } = item.metadata ?? {};
      // The codec of the client returns JSON values.
      let object: JsonObject | undefined = typed(item, resource) as JsonObject;
      const load = async (): Promise<JsonObject> => {
        const first = object ?? (await loadObject(session, resource, { name, namespace }));
        // Loaded again, it has changed.
        object = undefined;
        return first;
      };
      found.push({ resource, name, namespace, load });
    }
  }
  return found;
}

function typed(item: ApiObject, { group, version, kind }: DiscoveredResource): ApiObject {
  return item.kind ? item : { apiVersion: group ? `${group}/${version}` : version, kind, ...item };
}

interface NamedObject {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly manifest?: Manifest;
}

function selected(session: Session, resource: DiscoveredResource, named: NamedObject): SelectedObject {
  return { resource, ...named, load: () => loadObject(session, resource, named) };
}

async function loadObject(
  { client, io }: Session,
  resource: DiscoveredResource,
  { name, namespace }: NamedObject,
): Promise<JsonObject> {
  const options = namespace === undefined ? { signal: io.signal } : { namespace, signal: io.signal };
  // The codec of the client returns JSON values.
  return (await client.resource(resource).get(name, options)) as JsonObject;
}
