import type { Client } from '../../client/client.ts';
import type { Informer } from '../../client/informers/informer.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import { sameValue } from '../../meta/read-field.ts';
import { sortKeys } from '../../meta/sort-keys.ts';
import { type ControllerRevision, controllerRevisions } from '../resources.ts';
import type { PodTemplateSpec } from '../../gen/types/core-v1.ts';
import { type ControllingObject, controllerReference } from './controller-reference.ts';
import { controlledBy } from './owned-objects.ts';
import { templateHash } from './template-hash.ts';

/** The owner of revisions, and where they are written and read. */
interface RevisionOwner {
  readonly owner: ControllingObject;
  readonly template: PodTemplateSpec;
  readonly hashLabel: string;
  readonly collisionCount?: number;
  readonly client: Client;
  /** An informer with the index of `indexByController`. */
  readonly informer: Informer<ControllerRevision>;
  readonly signal: AbortSignal;
}

/** The revisions of an owner. */
interface TemplateRevisions {
  /** The revision of the present template. */
  readonly update: ControllerRevision;
  /** All revisions, the oldest first. */
  readonly all: readonly ControllerRevision[];
}

/** Records the present template of an owner, and returns its revisions. */
export async function ensureRevision(context: RevisionOwner): Promise<TemplateRevisions> {
  const { owner, template, informer, client, signal } = context;
  const all = controlledBy(informer, owner.metadata.uid).toSorted((a, b) => a.revision - b.revision);
  const found = all.find((revision) => sameTemplate(templateOf(revision), template));
  const last = all.at(-1)?.revision ?? 0;
  if (found && found.revision === last) return { update: found, all };
  const resource = client.resource(controllerRevisions);
  const { namespace } = owner.metadata;
  // A template that came back has the highest revision again.
  const written = found
    ? await resource.patch(found.metadata.name, { revision: last + 1 }, { type: 'merge', namespace, signal })
    : await resource.create(newRevision(context, last + 1) as ControllerRevision, { namespace, signal });
  await informer.waitFor(written.metadata.resourceVersion, signal);
  return { update: written, all: [...all.filter((revision) => revision !== found), written] };
}

/** The template that a revision records. */
export function templateOf({ data }: ControllerRevision): PodTemplateSpec {
  const { $patch: _, ...template } = data?.spec?.template ?? {};
  return template;
}

/** Deletes the oldest revisions beyond a limit, but none that is in use. */
export async function trimRevisions(
  { client, owner, signal }: RevisionOwner,
  all: readonly ControllerRevision[],
  inUse: ReadonlySet<string>,
  limit: number,
): Promise<void> {
  const unused = all.filter(({ metadata }) => !inUse.has(metadata.name));
  const resource = client.resource(controllerRevisions);
  for (const { metadata } of unused.slice(0, Math.max(0, unused.length - limit))) {
    await ignoreReasons(resource.delete(metadata.name, { namespace: owner.metadata.namespace, signal }), 'NotFound');
  }
}

function newRevision({ owner, template, hashLabel, collisionCount }: RevisionOwner, revision: number) {
  const { name, namespace, annotations } = owner.metadata;
  const hash = templateHash(template, collisionCount);
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels: { ...template.metadata?.labels, [hashLabel]: hash },
      annotations,
      ownerReferences: [controllerReference(owner)],
    },
    data: revisionData(template),
    revision,
  };
}

/** The data in the order of Go's encoder: clients compare its bytes with their own encoding. */
function revisionData(template: PodTemplateSpec): ControllerRevision['data'] {
  // Templates are parts of objects, which are JSON.
  const json = template as JsonValue as JsonObject;
  return sortKeys({ spec: { template: { ...json, $patch: 'replace' } } }) as ControllerRevision['data'];
}

function sameTemplate(left: PodTemplateSpec, right: PodTemplateSpec): boolean {
  const [a, b] = [left, right].map(({ metadata, ...template }) => {
    // Releases before 1.34 store a null creationTimestamp in templates.
    const { creationTimestamp, ...others } = (metadata ?? {}) as { readonly creationTimestamp?: string | null };
    const known = creationTimestamp ? { ...others, creationTimestamp } : others;
    // Templates are JSON, because they are parts of objects.
    return { ...template, metadata: known } as unknown as JsonValue;
  });
  return sameValue(a, b);
}
