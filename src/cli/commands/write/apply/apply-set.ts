import { createHash } from 'node:crypto';
import type { DiscoveredResource } from '../../../../client/discovery.ts';
import { ignoreReasons } from '../../../../client/status-error.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { annotationsOf, labelsOf, metadataOf, namespaceOf, uidOf } from '../../../../meta/object-meta.ts';
import { stringAt } from '../../../../meta/read-field.ts';
import { packageVersion } from '../../../../package/package-root.ts';
import { CliError } from '../../../cli-error.ts';
import { findType, resourcesOf, type Session } from '../../../find-type.ts';
import { createResourceFinder, manifestNamespace } from '../../../manifests/manifest-resource.ts';
import type { Manifest } from '../../../manifests/read-manifests.ts';
import { waitUntilGone } from '../../../objects/delete-object.ts';
import { serverIdentifiers } from '../../../server-identifiers.ts';
import type { WrittenObjects } from '../../../objects/written-objects.ts';
import { listObjects, pruneObject, type PruneOptions } from './prune.ts';

/** A set of applied objects, which is recorded on a parent object (KEP-3659). */
interface ApplySet {
  /** The manifest with the label of the members. */
  addTo(manifest: Manifest): Manifest;
  /**
   * Records on the parent, before anything is applied, all kinds and namespaces that may have
   * members.
   */
  begin(manifests: readonly Manifest[]): Promise<void>;
  /** Deletes members that were not applied, and records the kinds and namespaces that are left. */
  prune(
    applied: readonly { readonly resource: DiscoveredResource; readonly object: JsonObject }[],
    printer: WrittenObjects,
  ): Promise<void>;
}

/** The kinds and namespaces in which a set has members. */
interface Extent {
  /** `Deployment.apps`, `ConfigMap`. */
  readonly kinds: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

/** Opens the set of a parent: `NAME` (a Secret), `configmaps/NAME` or `RESOURCE.GROUP/NAME`. */
export async function createApplySet(session: Session, text: string, options: PruneOptions): Promise<ApplySet> {
  const { client, io } = session;
  const [type, name] = text.includes('/') ? text.split('/') : ['secrets', text];
  if (!type || !name) throw new CliError(`--applyset: "${text}" is not of the form RESOURCE/NAME`);
  const resource = await findType(session, type);
  const namespace = resource.namespaced ? client.settings.namespace : '';
  const place = { signal: io.signal, ...(namespace ? { namespace } : {}) };
  const keys = await keysOf(session);
  const id = `applyset-${hash(`${name}.${namespace}.${resource.kind}.${resource.group}`)}-v1`;
  // The codec of the client returns JSON values.
  const parent = (await ignoreReasons(client.resource(resource).get(name, place), 'NotFound')) as
    | JsonObject
    | undefined;
  checkParent(parent, keys, {
    id,
    text,
    isDefault: resource.resource === 'secrets' || resource.resource === 'configmaps',
  });
  const find = createResourceFinder(client, io.signal);
  const before = extentOf(parent, keys);
  let extent = before;

  async function record({ kinds, namespaces }: Extent): Promise<void> {
    if (options.dryRun === 'client') return;
    const others = [...namespaces].filter((each) => each !== namespace).toSorted();
    const object = {
      apiVersion: resource.group ? `${resource.group}/${resource.version}` : resource.version,
      kind: resource.kind,
      metadata: {
        name,
        ...(namespace ? { namespace } : {}),
        labels: { [keys.id]: id },
        annotations: {
          [keys.tooling]: `cl/v${packageVersion()}`,
          [keys.kinds]: [...kinds].toSorted().join(','),
          [keys.namespaces]: others.join(','),
        },
      },
    };
    const write = { ...place, fieldManager: `${options.fieldManager}-applyset`, force: true };
    await client.resource(resource).apply(object, { ...write, dryRun: options.dryRun !== 'none' });
  }

  return {
    addTo: (manifest) => labeled(manifest, keys.member, id),
    async begin(manifests) {
      const [kinds, namespaces] = [new Set(before.kinds), new Set(before.namespaces)];
      for (const manifest of manifests) {
        kinds.add(kindOf(manifest.object));
        const found = await find(manifest).catch(() => undefined);
        const own = manifestNamespace(manifest, session.options.namespace) ?? client.settings.namespace;
        if (found?.namespaced !== false) namespaces.add(own);
      }
      extent = { kinds, namespaces };
      await record(extent);
    },
    async prune(applied, printer) {
      const kept = new Set(applied.map(({ object }) => uidOf(object)));
      const resources = (await resourcesOf(session)).filter(({ verbs }) => verbs.includes('list'));
      const gone = [];
      for (const kind of extent.kinds) {
        const member = resources.find((each) => (each.group ? `${each.kind}.${each.group}` : each.kind) === kind);
        if (!member) throw new CliError(`the apply set has objects of "${kind}", which the server does not have`);
        for (const within of member.namespaced ? extent.namespaces : [undefined]) {
          const objects = await listObjects(session, member, { namespace: within, selector: `${keys.member}=${id}` });
          const rest = objects.filter((object) => !kept.has(uidOf(object)));
          for (const object of rest) gone.push(...(await pruneObject(session, options, member, object, printer)));
        }
      }
      if (options.wait && options.dryRun === 'none') await waitUntilGone(session, gone, options.timeout);
      await record({
        kinds: new Set(applied.map(({ object }) => kindOf(object))),
        namespaces: new Set(applied.map(({ object }) => namespaceOf(object)).filter(Boolean)),
      });
    },
  };
}

interface SetKeys {
  readonly id: string;
  readonly member: string;
  readonly tooling: string;
  readonly kinds: string;
  readonly namespaces: string;
}

/** The labels and annotations of sets in the names of the server. */
async function keysOf(session: Session): Promise<SetKeys> {
  const domain = `applyset.${(await serverIdentifiers(session)).labelDomain}`;
  return {
    id: `${domain}/id`,
    member: `${domain}/part-of`,
    tooling: `${domain}/tooling`,
    kinds: `${domain}/contains-group-kinds`,
    namespaces: `${domain}/additional-namespaces`,
  };
}

function checkParent(
  parent: JsonObject | undefined,
  keys: SetKeys,
  { id, text, isDefault }: { readonly id: string; readonly text: string; readonly isDefault: boolean },
): void {
  if (!parent && !isDefault) throw new CliError(`the parent ${text} of the apply set does not exist`);
  if (!parent) return;
  const found = labelsOf(parent)[keys.id];
  if (found !== undefined && found !== id) throw new CliError(`${text} is the parent of another apply set: ${found}`);
  const tooling = annotationsOf(parent)[keys.tooling];
  if (tooling !== undefined && !tooling.startsWith('cl/')) {
    throw new CliError(`the apply set of ${text} belongs to another tool: ${tooling}`, {
      hint: 'use that tool, or another set',
    });
  }
}

function extentOf(parent: JsonObject | undefined, keys: SetKeys): Extent {
  const annotations = parent ? annotationsOf(parent) : {};
  const words = (key: string): string[] => (annotations[key] ?? '').split(',').filter(Boolean);
  const own = parent ? namespaceOf(parent) : '';
  return {
    kinds: new Set(words(keys.kinds)),
    namespaces: new Set([...words(keys.namespaces), ...(own ? [own] : [])]),
  };
}

function kindOf(object: JsonObject): string {
  const [group = '', version] = stringAt(object, 'apiVersion').split('/');
  const kind = stringAt(object, 'kind');
  return version === undefined ? kind : `${kind}.${group}`;
}

function labeled(manifest: Manifest, key: string, value: string): Manifest {
  const { object } = manifest;
  const labels = { ...labelsOf(object), [key]: value };
  return { ...manifest, object: { ...object, metadata: { ...metadataOf(object), labels } } };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
