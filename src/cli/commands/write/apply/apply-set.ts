import { createHash } from 'node:crypto';
import type { DiscoveredResource } from '../../../../client/discovery.ts';
import { ignoreReasons } from '../../../../client/error-of-response.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { annotationsOf, labelsOf, metadataOf, namespaceOf, uidOf } from '../../../../meta/object-meta.ts';
import { stringAt } from '../../../../meta/read-field.ts';
import { packageVersion } from '../../../../package/package-root.ts';
import { CliError } from '../../../cli-error.ts';
import { findType, resourcesOf, type Session } from '../../../find-type.ts';
import { createResourceFinder, manifestNamespace } from '../../../manifests/manifest-resource.ts';
import type { Manifest } from '../../../manifests/read-manifests.ts';
import { waitUntilGone } from '../../../objects/delete-selected.ts';
import { serverIdentifiers } from '../../../server-identifiers.ts';
import { shortName, type WrittenObjects } from '../../../objects/written-objects.ts';
import { listObjects, pruneObject, type PruneOptions } from './find-pruned.ts';
import { visibleText } from '../../../format-rows.ts';

/** The name under which sets are recorded. */
const toolName = 'cl';

/** A set of applied objects, which is recorded on a parent object (KEP-3659). */
export interface ApplySet {
  /** The manifest with the label of the members. */
  addTo(manifest: Manifest): Manifest;
  /** Throws `CliError` for an object, as it is in the server, that is a member of another set. */
  readonly checkMember: (existing: JsonObject) => void;
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
  const [type, name] = parentOf(text);
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
    text: `"${resource.resource}.${resource.group}/${name}"`,
    isDefault: isMadeOnDemand(resource),
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
          [keys.tooling]: `${toolName}/v${packageVersion()}`,
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
    checkMember: (existing) => {
      const other = labelsOf(existing)[keys.member];
      if (other === undefined || other === id) return;
      throw new CliError(`${shortName(existing)} belongs to another apply set, ${visibleText(other)}`, {
        hint: 'take it over with --force-conflicts, or leave it out',
      });
    },
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

/** The type and the name of a parent. */
function parentOf(text: string): readonly [type: string, name: string] {
  const words = text.includes('/') ? text.split('/') : ['secrets', text];
  const [type = '', name = ''] = words;
  if (type && name && words.length === 2) return [type, name];
  const problem = type && words.length === 2 ? 'name cannot be blank' : 'it is not of the form RESOURCE/NAME';
  throw new CliError(`invalid parent reference ${JSON.stringify(text)}: ${problem}`);
}

/** Reports whether a parent of this type is made where there is none. */
function isMadeOnDemand({ group, resource }: DiscoveredResource): boolean {
  return group === '' && (resource === 'secrets' || resource === 'configmaps');
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

interface Parent {
  /** The id of its set. */
  readonly id: string;
  /** The name of the set in messages. */
  readonly text: string;
  readonly isDefault: boolean;
}

/** Refuses a parent that other programs use: what it records would be lost, and its set pruned. */
function checkParent(parent: JsonObject | undefined, keys: SetKeys, { id, text, isDefault }: Parent): void {
  if (!parent && isDefault) return;
  if (!parent) throw new CliError(`ApplySet parent object ${text} does not exist`, { hint: 'create it first' });
  const tooling = annotationsOf(parent)[keys.tooling];
  if (!tooling) {
    throw new CliError(
      `ApplySet parent object ${text} already exists and is missing required annotation "${keys.tooling}"`,
      { hint: 'choose a name that no object has' },
    );
  }
  const [tool] = tooling.split('/');
  if (tool !== toolName) {
    throw new CliError(
      `ApplySet parent object ${text} already exists and is managed by tooling ${JSON.stringify(tool)} instead of "${toolName}"`,
      { hint: 'use that tool, or another set' },
    );
  }
  const found = labelsOf(parent)[keys.id];
  if (!found) throw new CliError(`ApplySet parent object ${text} exists and does not have required label ${keys.id}`);
  if (found === id) return;
  throw new CliError(
    `ApplySet parent object ${text} exists and has incorrect value for label "${keys.id}" (got: ${found}, want: ${id})`,
  );
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
