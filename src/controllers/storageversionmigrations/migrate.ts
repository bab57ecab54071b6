import type { ApiObject } from '../../client/api-object.ts';
import type { ReconcileResult } from '../../client/controllers/controller.ts';
import { hasReason } from '../../client/error-of-response.ts';
import { isUnreadableWarning } from '../../client/unreadable-warning.ts';
import type { Condition } from '../../gen/types/meta-v1.ts';
import type { StorageVersionMigration } from '../../gen/types/storagemigration-v1beta1.ts';
import { formatTime } from '../../meta/time.ts';

/** A page of objects, reduced to their metadata. */
interface MetadataPage {
  readonly metadata: { readonly resourceVersion?: string };
  readonly items: readonly ApiObject[];
}

/** The identity and version of an object to rewrite. */
type Identity = Pick<NonNullable<ApiObject['metadata']>, 'name' | 'namespace' | 'uid' | 'resourceVersion'>;

/** The calls about the migrated resource. */
export interface MigratedResource {
  readonly firstPage: () => Promise<MetadataPage>;
  /**
   * Lists all objects. Warnings of the server name objects that are left out because it cannot read
   * them.
   */
  readonly pages: (onWarning: (text: string) => void) => AsyncIterable<MetadataPage>;
  /** Applies nothing to an object, which rewrites it if it is stored in another version. */
  readonly rewrite: (metadata: Identity) => Promise<unknown>;
}

interface MigrationCalls {
  readonly find: (migration: StorageVersionMigration) => Promise<MigratedResource | undefined>;
  /** The field of conditions with their time, in the served version. */
  readonly conditionTime: 'lastTransitionTime' | 'lastUpdateTime';
  readonly update: (migration: StorageVersionMigration) => Promise<StorageVersionMigration>;
  readonly nowMs: () => number;
}

/** How long a missing resource is waited for, and the time between two checks. */
const patienceMs = 60_000;
const lookMs = 10_000;

/** The number of objects after which progress is reported. */
const reportEvery = 5_000;

/**
 * Runs the next step of a migration: records the version of the list, then rewrites the objects
 * that are older. An interrupted migration continues, because rewritten objects are newer. Objects
 * that change meanwhile need no migration. The migration fails if the server cannot read some of
 * the objects, because after a success the old key or version is removed.
 */
export async function migrate(
  migration: StorageVersionMigration | undefined,
  calls: MigrationCalls,
): Promise<ReconcileResult> {
  if (!migration || isTrue(migration, 'Succeeded') || isTrue(migration, 'Failed')) return {};
  const resource = await calls.find(migration);
  if (!resource) return missing(migration, calls);
  const running = await begin(migration, resource, calls);
  const limit = BigInt(running.status?.resourceVersion ?? '0');
  let current = running;
  let count = 0;
  let unread: string | undefined;
  const onWarning = (text: string): void => {
    if (isUnreadableWarning(text)) unread ??= text;
  };
  for await (const { items } of resource.pages(onWarning)) {
    for (const { metadata = {} } of items) {
      if (BigInt(metadata.resourceVersion ?? '0') > limit) continue;
      const failure = await rewrite(resource, metadata);
      if (failure !== undefined) {
        await calls.update(ended(current, 'Failed', failure, calls));
        return {};
      }
      count++;
      if (count % reportEvery === 0) current = await calls.update(progressed(current, count));
    }
  }
  await calls.update(
    unread === undefined
      ? ended(current, 'Succeeded', `${count} objects were written`, calls)
      : ended(current, 'Failed', `${count} objects were written, but ${unread}`, calls),
  );
  return {};
}

async function missing(migration: StorageVersionMigration, calls: MigrationCalls): Promise<ReconcileResult> {
  const age = calls.nowMs() - Date.parse(migration.metadata?.creationTimestamp ?? '');
  if (age < patienceMs) return { requeueAfterMs: lookMs };
  await calls.update(ended(migration, 'Failed', 'resource not found', calls));
  return {};
}

/** Records the version of the list, and that the migration is running. */
async function begin(
  migration: StorageVersionMigration,
  resource: MigratedResource,
  calls: MigrationCalls,
): Promise<StorageVersionMigration> {
  const { resourceVersion = (await resource.firstPage()).metadata.resourceVersion, conditions } =
    migration.status ?? {};
  if (isTrue(migration, 'Running') && migration.status?.resourceVersion) return migration;
  const status = { conditions: withState(conditions, 'Running', 'True', '', calls), resourceVersion };
  return calls.update({ ...migration, status: { ...migration.status, ...status } });
}

/** Rewrites an object. Returns the reason why the migration cannot continue. */
async function rewrite(
  resource: MigratedResource,
  { name = '', namespace, uid = '', resourceVersion = '' }: Identity,
): Promise<string | undefined> {
  const place = namespace === undefined ? {} : { namespace };
  try {
    await resource.rewrite({ name, ...place, uid, resourceVersion });
    return undefined;
  } catch (error) {
    // Changed, deleted or created again: each of these writes used the present version.
    if (hasReason(error, 'Conflict', 'NotFound')) return undefined;
    if (!hasReason(error, 'Invalid', 'BadRequest', 'Forbidden')) throw error;
    const where = namespace === undefined ? name : `${namespace}/${name}`;
    return `migration encountered unhandled error at ${where}: ${error instanceof Error ? error.message : ''}`;
  }
}

function isTrue({ status }: StorageVersionMigration, type: string): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}

const reasons: Readonly<Record<string, string>> = {
  Running: 'StorageVersionMigrationInProgress',
  Succeeded: 'StorageVersionMigrationSucceeded',
  Failed: 'StorageVersionMigrationFailed',
};

function withState(
  conditions: readonly Condition[] = [],
  type: 'Running' | 'Succeeded' | 'Failed',
  status: 'True' | 'False',
  message: string,
  { conditionTime, nowMs }: MigrationCalls,
): Condition[] {
  const condition = { type, status, [conditionTime]: formatTime(nowMs()), reason: reasons[type] ?? type, message };
  return [...conditions.filter((one) => one.type !== type), condition as unknown as Condition];
}

function progressed(migration: StorageVersionMigration, count: number): StorageVersionMigration {
  const conditions = (migration.status?.conditions ?? []).map((condition) =>
    condition.type === 'Running' ? { ...condition, message: `${count} objects were written` } : condition,
  );
  return { ...migration, status: { ...migration.status, conditions } };
}

function ended(
  migration: StorageVersionMigration,
  type: 'Succeeded' | 'Failed',
  message: string,
  calls: MigrationCalls,
): StorageVersionMigration {
  const hasRun = (migration.status?.conditions ?? []).some((condition) => condition.type === 'Running');
  const stopped = hasRun
    ? withState(migration.status?.conditions, 'Running', 'False', '', calls)
    : migration.status?.conditions;
  const conditions = withState(stopped, type, 'True', message, calls);
  return { ...migration, status: { ...migration.status, conditions } };
}
