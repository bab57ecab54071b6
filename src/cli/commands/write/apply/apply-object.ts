import type { DiscoveredResource } from '../../../../client/discovery.ts';
import type { Client } from '../../../../client/client.ts';
import { hasReason, ignoreReasons } from '../../../../client/status-error.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { nameOf, resourceVersionOf } from '../../../../meta/object-meta.ts';
import { CliError } from '../../../cli-error.ts';
import { manifestNamespace } from '../../../manifests/manifest-resource.ts';
import type { Manifest } from '../../../manifests/read-manifests.ts';
import { type DryRun, fieldValidationOf } from '../../../write-flags.ts';
import { dryApply, takeOverPatch } from '../../../objects/client-side-fields.ts';
import { conflictTable } from './conflict-table.ts';

/** How objects are applied. */
interface ApplySettings {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly fieldManager: string;
  readonly force: boolean;
  readonly dryRun: DryRun;
  readonly validate: Parameters<typeof fieldValidationOf>[0];
  readonly subresource: string | undefined;
  /** The namespace of `-n`. */
  readonly namespace: string | undefined;
}

/** An object after its apply. */
interface AppliedObject {
  readonly object: JsonObject;
  readonly outcome: 'created' | 'configured' | 'unchanged';
}

/**
 * How often the fields of another client are taken over again because the object changed meanwhile.
 */
const attempts = 3;

/**
 * Applies a manifest in the server, after taking over the fields that a client applied before.
 * Throws `CliError` with the table of fields for a conflict.
 */
export async function applyObject(
  settings: ApplySettings,
  resource: DiscoveredResource,
  manifest: Manifest,
): Promise<AppliedObject> {
  const { client, signal, fieldManager, force, dryRun, subresource } = settings;
  const namespace = manifestNamespace(manifest, settings.namespace);
  const place = { signal, ...(namespace === undefined || !resource.namespaced ? {} : { namespace }) };
  const name = nameOf(manifest.object);
  if (!name)
    throw new CliError(`${manifest.where}: metadata.name must be set`, { hint: 'cl create -f generates names' });
  const objects = client.resource(resource);
  // The codec of the client returns JSON values.
  const read = async () => (await ignoreReasons(objects.get(name, place), 'NotFound')) as JsonObject | undefined;
  let before = await read();
  if (dryRun === 'client' && !before) return { object: manifest.object, outcome: 'created' };
  if (before && dryRun === 'none') before = await takeOver(settings, { resource, name, place, before });
  const isDry = dryRun !== 'none';
  const fieldValidation = fieldValidationOf(settings.validate);
  const write = { ...place, fieldManager, dryRun: isDry, fieldValidation, ...(subresource ? { subresource } : {}) };
  const send = (forced: boolean) => objects.apply(manifest.object, { ...write, force: forced });
  const applied = await (isDry ? dryApply(force, send) : send(force)).catch((error: unknown) => {
    if (!hasReason(error, 'Conflict')) throw error;
    const table = conflictTable(error, manifest.object, before ?? {});
    if (!table) throw error;
    throw new ConflictError(error.message, table, error);
  });
  const object = applied as JsonObject;
  return { object, outcome: before ? outcomeOf(before, object, dryRun) : 'created' };
}

/** A refusal that has a table of fields. */
export class ConflictError extends CliError {
  readonly table: string;

  constructor(message: string, table: string, cause: unknown) {
    super(message.split('\n', 1)[0] ?? '', {
      hint: 'take the fields over with --force-conflicts, or leave them out',
      cause,
    });
    this.table = table;
  }
}

function outcomeOf(before: JsonObject, after: JsonObject, dryRun: DryRun): AppliedObject['outcome'] {
  if (dryRun === 'none') return resourceVersionOf(before) === resourceVersionOf(after) ? 'unchanged' : 'configured';
  // A dry run gives no new version: the objects are compared without what records the writes.
  return withoutRecords(before) === withoutRecords(after) ? 'unchanged' : 'configured';
}

function withoutRecords(object: JsonObject): string {
  const { managedFields: _, resourceVersion: __, generation: ___, ...metadata } = (object.metadata ?? {}) as JsonObject;
  return JSON.stringify({ ...object, metadata }, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

interface Existing {
  readonly resource: DiscoveredResource;
  readonly name: string;
  readonly place: { readonly namespace?: string; readonly signal: AbortSignal };
  readonly before: JsonObject;
}

async function takeOver(
  { client, fieldManager, subresource }: ApplySettings,
  { resource, name, place, before }: Existing,
): Promise<JsonObject> {
  const objects = client.resource(resource);
  for (let [attempt, current] = [1, before]; ; attempt++) {
    const patch = subresource ? undefined : takeOverPatch(current, fieldManager);
    if (!patch) return current;
    const patched = await objects.patch(name, patch, { ...place, type: 'json' }).catch((error: unknown) => {
      if (!hasReason(error, 'Conflict', 'Invalid') || attempt === attempts) throw error;
      return undefined;
    });
    current = (patched ?? (await objects.get(name, place))) as JsonObject;
  }
}
