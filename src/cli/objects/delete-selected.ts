import { pause } from '../../async/timers.ts';
import { isStatus } from '../../client/api-object.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { finalizersOf, uidOf } from '../../meta/object-meta.ts';
import { CliError } from '../cli-error.ts';
import type { Session } from '../find-type.ts';
import type { DryRun } from '../write-flags.ts';
import type { SelectedObject } from './select-objects.ts';
import { visibleText } from '../format-rows.ts';

/** The values of the flags of commands that delete. */
export interface DeletionOptions {
  readonly cascade: 'background' | 'foreground' | 'orphan' | 'true' | 'false';
  readonly force: boolean;
  readonly gracePeriod: number;
  readonly now?: boolean;
  readonly dryRun: DryRun;
}

const policies = {
  background: 'Background',
  true: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
  false: 'Orphan',
} as const;

/** An object that was deleted or marked for deletion, to wait for its end. */
export interface DeletedObject extends Omit<SelectedObject, 'load'> {
  /** The UID of the deleted object; undefined if the response did not contain it. */
  readonly uid: string | undefined;
}

/** The grace period that flags request; undefined: the object's own. Throws `CliError`. */
export function gracePeriodOf({ force, gracePeriod, now = false }: DeletionOptions): number | undefined {
  if (now && gracePeriod >= 0) throw new CliError('--now and --grace-period cannot be specified together');
  if (now) return 1;
  if (gracePeriod === 0 && !force) return 1;
  if (force && gracePeriod > 0)
    throw new CliError('--force and --grace-period greater than 0 cannot be specified together');
  if (force) return 0;
  return gracePeriod < 0 ? undefined : gracePeriod;
}

/** Asks the server to delete an object. */
export async function deleteSelected(
  { client, io }: Session,
  { resource, name, namespace }: Omit<SelectedObject, 'load'>,
  options: DeletionOptions,
): Promise<DeletedObject> {
  const gracePeriodSeconds = gracePeriodOf(options);
  const answer = await client.resource(resource).delete(name, {
    propagationPolicy: policies[options.cascade],
    dryRun: options.dryRun === 'server',
    signal: io.signal,
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(namespace === undefined ? {} : { namespace }),
  });
  const uid = isStatus(answer) ? answer.details?.uid : answer.metadata?.uid;
  return { resource, name, namespace, uid };
}

const pollMs = { first: 20, most: 1000 };

/** How long a wait is silent before it says what holds the object. */
const silentMs = 2000;

/**
 * Waits until deleted objects are gone, or others of their names; `timeoutMs` 0 is no limit. Tells
 * after a while which finalizers hold an object.
 */
export async function waitUntilGone(
  session: Session,
  objects: readonly DeletedObject[],
  timeoutMs: number,
): Promise<void> {
  const deadline = timeoutMs > 0 ? Date.now() + timeoutMs : Number.POSITIVE_INFINITY;
  for (const object of objects) await waitForOne(session, object, deadline);
}

async function waitForOne(session: Session, object: DeletedObject, deadline: number): Promise<void> {
  const { client, io } = session;
  const { resource, name, namespace, uid } = object;
  const place = { signal: io.signal, ...(namespace === undefined ? {} : { namespace }) };
  const startMs = Date.now();
  let said = '';
  for (let delayMs = pollMs.first; ; delayMs = Math.min(delayMs * 2, pollMs.most)) {
    // The codec of the client returns JSON values.
    const current = (await ignoreReasons(client.resource(resource).get(name, place), 'NotFound')) as
      | JsonObject
      | undefined;
    if (!current || (uid !== undefined && uidOf(current) !== uid)) return;
    const holder = holderOf(current);
    if (Date.now() > deadline) {
      const hint = holder ? `it is held by ${holder}` : '';
      throw new CliError(`timed out waiting for the condition on ${resource.resource}/${name}`, { hint });
    }
    if (holder !== said && Date.now() - startMs > silentMs) {
      said = holder;
      io.stderr.write(
        `waiting for ${resource.resource}/${visibleText(name)}${holder ? `, which is held by ${holder}` : ''}\n`,
      );
    }
    await pause(Math.min(delayMs, Math.max(deadline - Date.now(), 1)), io.signal);
  }
}

/** The finalizers that keep an object that is being deleted. */
function holderOf(object: JsonObject): string {
  const finalizers = finalizersOf(object).map(visibleText);
  if (finalizers.length === 0) return '';
  return `${finalizers.length === 1 ? 'finalizer' : 'finalizers'} ${finalizers.join(', ')}`;
}
