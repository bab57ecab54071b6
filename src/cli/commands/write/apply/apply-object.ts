import type { DiscoveredResource } from '../../../../client/discovery.ts';
import type { Client } from '../../../../client/client.ts';
import { hasReason, ignoreReasons, type StatusError } from '../../../../client/error-of-response.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { metadataOf, nameOf, resourceVersionOf, uidOf } from '../../../../meta/object-meta.ts';
import { objectsAt } from '../../../../meta/read-field.ts';
import { CliError } from '../../../cli-error.ts';
import { manifestNamespace } from '../../../manifests/manifest-resource.ts';
import type { Manifest } from '../../../manifests/read-manifests.ts';
import { type DryRun, fieldValidationOf } from '../../../write-flags.ts';
import { conflictsOf, dryApply, takeOverPatch } from '../../../objects/client-side-fields.ts';
import { conflictTable } from './conflict-table.ts';
import { giveBack, takeOver } from './take-over.ts';

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
  /** Throws for an object that must not be changed. */
  readonly checkExisting?: ((existing: JsonObject) => void) | undefined;
}

/** An object after its apply. */
interface AppliedObject {
  readonly object: JsonObject;
  readonly outcome: 'created' | 'configured' | 'unchanged';
}

/** A manifest and the place of its object. */
interface Target {
  readonly resource: DiscoveredResource;
  readonly manifest: Manifest;
  readonly name: string;
  readonly place: { readonly namespace?: string; readonly signal: AbortSignal };
}

/**
 * Applies a manifest in the server, after taking over the fields that a client applied before.
 * `known` is what was read of the object a while ago, if anything was; else, or if it changed
 * since, the object is read first. Throws `CliError` with the table of fields for a conflict.
 */
export async function applyObject(
  settings: ApplySettings,
  resource: DiscoveredResource,
  manifest: Manifest,
  known?: JsonObject | 'absent',
): Promise<AppliedObject> {
  const { signal, dryRun } = settings;
  const namespace = manifestNamespace(manifest, settings.namespace);
  const place = { signal, ...(namespace === undefined || !resource.namespaced ? {} : { namespace }) };
  const name = nameOf(manifest.object);
  if (!name)
    throw new CliError(`${manifest.where}: metadata.name must be set`, { hint: 'cl create -f generates names' });
  const target = { resource, manifest, name, place };
  // A dry run compares whole objects.
  if (known === 'absent' || (known && dryRun === 'none')) {
    const applied = await applyKnown(settings, target, known === 'absent' ? undefined : known);
    if (applied) return applied;
  }
  const found = await read(settings, target);
  if (found) settings.checkExisting?.(found);
  if (dryRun === 'client' && !found) return { object: manifest.object, outcome: 'created' };
  const { object, before } = await takeOverAndSend(settings, target, found, manifest.object).catch((error: unknown) => {
    throw hasReason(error, 'Conflict') ? explained(error, target, found) : error;
  });
  return { object, outcome: before ? outcomeOf(before, object, dryRun) : 'created' };
}

/** Applies to an object of which this was read a while ago; undefined if it changed since. */
async function applyKnown(
  settings: ApplySettings,
  target: Target,
  known: JsonObject | undefined,
): Promise<AppliedObject | undefined> {
  const { object: wanted } = target.manifest;
  if (settings.dryRun === 'client') return { object: wanted, outcome: 'created' };
  if (known) settings.checkExisting?.(known);
  try {
    // Bound to the version: else a change of another would count as one of this apply.
    const isTaken = known && !settings.subresource && takeOverPatch(known, settings.fieldManager);
    const isBound = known && !isTaken && !resourceVersionOf(wanted);
    const bound = isBound ? atVersionOf(known, wanted) : wanted;
    const { object, before } = await takeOverAndSend(settings, target, known, bound);
    const outcome = isNew(before, object, settings) ? 'created' : outcomeOf(before ?? {}, object, 'none');
    return { object, outcome };
  } catch (error) {
    const isConflict = hasReason(error, 'Conflict');
    if (isConflict && conflictsOf(error).length > 0) throw explained(error, target, await read(settings, target));
    if (known && (isConflict || hasReason(error, 'NotFound'))) return undefined;
    throw error;
  }
}

function atVersionOf(before: JsonObject, wanted: Manifest['object']): Manifest['object'] {
  return { ...wanted, metadata: { ...metadataOf(wanted), resourceVersion: resourceVersionOf(before) } };
}

/** Reports whether an apply made an object: another client may have made it after the list. */
function isNew(before: JsonObject | undefined, object: JsonObject, { fieldManager }: ApplySettings): boolean {
  if (before) return uidOf(before) !== uidOf(object);
  const managers = objectsAt(metadataOf(object) ?? {}, 'managedFields');
  return managers.every(({ manager, operation }) => manager === fieldManager && operation === 'Apply');
}

async function read({ client }: ApplySettings, { resource, name, place }: Target): Promise<JsonObject | undefined> {
  // The codec of the client returns JSON values.
  return (await ignoreReasons(client.resource(resource).get(name, place), 'NotFound')) as JsonObject | undefined;
}

/** Sends an apply after taking over the fields of a client; gives them back if it is refused. */
async function takeOverAndSend(
  settings: ApplySettings,
  target: Target,
  found: JsonObject | undefined,
  wanted: Manifest['object'],
): Promise<{ readonly object: JsonObject; readonly before: JsonObject | undefined }> {
  if (!found || settings.dryRun !== 'none' || settings.subresource) {
    return { object: await send(settings, target, wanted), before: found };
  }
  const place = { ...target, client: settings.client, fieldManager: settings.fieldManager };
  const taken = await takeOver(place, found, () => send({ ...settings, dryRun: 'server' }, target, wanted));
  try {
    return { object: await send(settings, target, wanted), before: taken.object };
  } catch (error) {
    await giveBack(place, taken);
    throw error;
  }
}

async function send(
  { client, fieldManager, force, dryRun, validate, subresource }: ApplySettings,
  { resource, place }: Target,
  wanted: Manifest['object'],
): Promise<JsonObject> {
  const isDry = dryRun !== 'none';
  const fieldValidation = fieldValidationOf(validate);
  const write = { ...place, fieldManager, dryRun: isDry, fieldValidation, ...(subresource ? { subresource } : {}) };
  const apply = (forced: boolean) => client.resource(resource).apply(wanted, { ...write, force: forced });
  return (await (isDry ? dryApply(force, apply) : apply(force))) as JsonObject;
}

/** The error of a conflict with the table of its fields, if it is about fields. */
function explained(error: StatusError, { manifest }: Target, before: JsonObject | undefined): Error {
  const table = conflictTable(error, manifest.object, before ?? {});
  return table ? new ConflictError(error.message, table, error) : error;
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
