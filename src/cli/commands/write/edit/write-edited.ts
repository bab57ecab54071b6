import { isDeepStrictEqual } from 'node:util';
import { hasReason } from '../../../../client/error-of-response.ts';
import { isJsonObject, type JsonObject } from '../../../../meta/json-value.ts';
import { metadataOf, nameOf, namespaceOf, resourceVersionOf, uidOf } from '../../../../meta/object-meta.ts';
import { stringAt } from '../../../../meta/read-field.ts';
import { CliError, errorLine } from '../../../cli-error.ts';
import type { Refusal } from '../../../editing/edit-objects.ts';
import { mendable } from '../../../editing/mendable.ts';
import type { Session } from '../../../find-type.ts';
import type { Manifest } from '../../../manifests/read-manifests.ts';
import { patchObject } from '../../../objects/change-objects.ts';
import { mergePatchBetween, replacesList } from '../../../objects/merge-patch-between.ts';
import type { SelectedObject } from '../../../objects/select-objects.ts';
import { type WrittenObjects } from '../../../objects/written-objects.ts';
import { fieldValidationOf } from '../../../write-flags.ts';
import { visibleText } from '../../../format-rows.ts';

/** An object that is edited. */
interface EditTarget extends SelectedObject {
  /** The object as it is in the editor. */
  readonly shown: JsonObject;
}

/** An edit of an object that the server has accepted. */
interface AcceptedEdit {
  readonly edited: JsonObject;
  /** The object as the server has it since then. */
  readonly current: JsonObject;
}

interface EditSettings {
  /** Gives an object the form that it has in the editor. */
  readonly shape: (object: JsonObject) => JsonObject;
  readonly fieldManager: string;
  readonly subresource: string | undefined;
  readonly validate: Parameters<typeof fieldValidationOf>[0];
  readonly outputPatch: boolean;
  readonly printer: WrittenObjects;
}

/** How often a change is sent again because another client changed the object meanwhile. */
const attempts = 5;

/**
 * Returns a function that sends what is different in edited objects, and returns the refusals. It
 * remembers what was accepted, so that only the rest is sent when the editor opens again.
 */
export function createEditWriter(session: Session, targets: readonly EditTarget[], settings: EditSettings) {
  const accepted = new Map<string, AcceptedEdit>();
  const writeOne = async (edited: JsonObject): Promise<void> => {
    const target = targets.find(({ shown }) => keyOf(shown) === keyOf(edited));
    if (!target) throw new CliError(`${kindAndNameOf(edited)} is none of the objects that are edited`);
    checkIdentity(target.shown, edited);
    const before = accepted.get(keyOf(edited));
    const patch = mergePatchBetween(before?.edited ?? target.shown, edited, isDeepStrictEqual);
    let current = before?.current ?? target.shown;
    if (patch) {
      const written = await sendPatch(session, { ...target, shown: current }, patch, settings);
      settings.printer.print(written, 'edited');
      current = settings.shape(written);
    } else if (!before) settings.printer.print(edited, 'skipped');
    accepted.set(keyOf(edited), { edited, current });
  };
  return async (edited: readonly Manifest[]): Promise<readonly Refusal[]> => {
    const refusals: Refusal[] = [];
    let failure: unknown;
    for (const { object } of edited) {
      await writeOne(object).catch((error: unknown) => {
        session.io.signal.throwIfAborted();
        const refusal = error instanceof LostEdit ? undefined : mendable(error, kindAndNameOf(object));
        if (refusal) refusals.push(refusal);
        else if (failure === undefined) failure = error;
        else session.io.stderr.write(`${errorLine(error)}\n`);
      });
    }
    if (failure === undefined) return refusals;
    for (const { problem } of refusals) session.io.stderr.write(`error: ${problem}\n`);
    throw failure;
  };
}

/** A change that meets one of another client. */
class LostEdit extends CliError {}

function keyOf(object: JsonObject): string {
  return uidOf(object) || JSON.stringify([object.kind, namespaceOf(object), nameOf(object)]);
}

function kindAndNameOf(object: JsonObject): string {
  return visibleText(`${stringAt(object, 'kind')} "${nameOf(object)}"`);
}

function checkIdentity(before: JsonObject, after: JsonObject): void {
  const identity = ({ apiVersion, kind, metadata }: JsonObject) => {
    const { name, namespace } = isJsonObject(metadata) ? metadata : {};
    return [apiVersion, kind, name, namespace];
  };
  if (isDeepStrictEqual(identity(before), identity(after))) return;
  throw new CliError(`apiVersion, kind, name and namespace of ${kindAndNameOf(before)} cannot be changed`);
}

async function sendPatch(
  session: Session,
  target: EditTarget,
  patch: JsonObject,
  { fieldManager, subresource, validate, outputPatch, shape }: EditSettings,
): Promise<JsonObject> {
  if (outputPatch) session.io.stdout.write(`Patch: ${session.client.codec.stringify(patch)}\n`);
  const request = { dryRun: 'none', fieldManager, subresource, fieldValidation: fieldValidationOf(validate) } as const;
  // A list is sent as a whole, with what others changed in it: only if they did not.
  const isBound = replacesList(patch);
  for (let [attempt, version] = [1, resourceVersionOf(target.shown)]; ; attempt++) {
    const sent = isBound ? bound(patch, version) : patch;
    try {
      return await patchObject(session, target, sent, request);
    } catch (error) {
      if (!isBound || attempt === attempts || !hasReason(error, 'Conflict')) throw error;
    }
    const now = shape(await target.load());
    const place = meetingOf(patch, mergePatchBetween(target.shown, now, isDeepStrictEqual) ?? {});
    if (place !== undefined) {
      throw new LostEdit(`${kindAndNameOf(now)} was changed by another client meanwhile: ${place}`, {
        hint: 'edit it again; your changes are in the file',
      });
    }
    version = resourceVersionOf(now);
  }
}

/** A patch of an object while it is at a version. The version is the user's, if that was edited. */
function bound(patch: JsonObject, version: string): JsonObject {
  return { ...patch, metadata: { resourceVersion: version, ...metadataOf(patch) } };
}

/** The first field that two merge patches change. */
function meetingOf(one: JsonObject, other: JsonObject): string | undefined {
  for (const [key, value] of Object.entries(one)) {
    if (!Object.hasOwn(other, key)) continue;
    const theirs = other[key];
    if (!isJsonObject(value) || !isJsonObject(theirs)) return key;
    const inner = meetingOf(value, theirs);
    if (inner !== undefined) return `${key}.${inner}`;
  }
  return undefined;
}
