import type { Invocation } from '../../command.ts';
import type { reconcileFlags } from './flags.ts';
import { reconcileBinding, reconcileRole } from '../../../authz/rbac/reconcile-role.ts';
import { ignoreReasons } from '../../../client/error-of-response.ts';
import type { Client } from '../../../client/client.ts';
import type { GenericObject } from '../../../client/api-object.ts';
import type { DiscoveredResource } from '../../../client/discovery.ts';
import { type Identifiers, identifierSets, identifiersOf } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { nameOf, uidOf } from '../../../meta/object-meta.ts';
import { CliError } from '../../cli-error.ts';
import { withClient } from '../../connect.ts';
import { forEachObject } from '../../for-each-object.ts';
import { createResourceFinder, manifestNamespace } from '../../manifests/manifest-resource.ts';
import { type Manifest, readManifests } from '../../manifests/read-manifests.ts';
import { writtenPrinter } from '../../printers/print-written.ts';

interface Run {
  readonly client: Client;
  readonly options: Invocation<typeof reconcileFlags>['options'];
  readonly signal: AbortSignal;
}

/**
 * `cl auth reconcile -f`: creates roles and bindings, and adds missing rules and subjects to
 * existing ones. Continues after a refused one.
 */
export async function reconcile({ options, io }: Invocation<typeof reconcileFlags>): Promise<void> {
  const manifests = await readManifests(options, io);
  const print = await writtenPrinter(options, io);
  await withClient({ options, io }, async (client) => {
    const find = createResourceFinder(client, io.signal);
    const reconcileOne = async (manifest: Manifest): Promise<string> => {
      const resource = await find(manifest);
      const { object, done } = await reconcileManifest({ client, options, signal: io.signal }, resource, manifest);
      return print(object, done);
    };
    await forEachObject(manifests, reconcileOne, { io, done: 'reconciled' });
  });
}

const bindings: ReadonlySet<string> = new Set(['rolebindings', 'clusterrolebindings']);
const roles: ReadonlySet<string> = new Set(['roles', 'clusterroles']);

/** The object as it is then, and what was done. */
interface Reconciled {
  readonly object: GenericObject;
  readonly done: string;
}

async function reconcileManifest(run: Run, resource: DiscoveredResource, manifest: Manifest): Promise<Reconciled> {
  const identifiers = identifiersWith(resource);
  const isBinding = bindings.has(resource.resource);
  if (!identifiers || !(isBinding || roles.has(resource.resource))) {
    throw new CliError(`${manifest.where}: ${resource.kind} is neither a role nor a binding`);
  }
  const { client, options, signal } = run;
  const objects = client.resource(resource);
  const { dryRun } = options;
  const write = { namespace: manifestNamespace(manifest, options.namespace), dryRun: dryRun === 'server', signal };
  const name = nameOf(jsonOf(manifest.object));
  const { namespace } = write;
  const current = await ignoreReasons(objects.get(name, { namespace, signal }), 'NotFound');
  const create = (): Promise<GenericObject> =>
    dryRun === 'client' ? Promise.resolve(manifest.object) : objects.create(manifest.object, write);
  if (!current) return { object: await create(), done: 'created' };
  const { removeExtraPermissions, removeExtraSubjects } = options;
  const removeExtra = isBinding ? removeExtraSubjects : removeExtraPermissions;
  const compare = isBinding ? reconcileBinding : reconcileRole;
  const { labelDomain } = identifiers;
  const change = compare(jsonOf(current), jsonOf(manifest.object), { labelDomain, removeExtra });
  const done = outcomes[change.action];
  if (change.action === 'update') {
    return { object: dryRun === 'client' ? change.object : await objects.update(change.object, write), done };
  }
  if (change.action !== 'recreate') return { object: current, done };
  if (dryRun === 'none') await objects.delete(name, { ...write, preconditions: { uid: uidOf(jsonOf(current)) } });
  // While the other one is there, its name is taken, also in a dry run.
  return { object: dryRun === 'none' ? await create() : manifest.object, done };
}

const outcomes = { none: 'unchanged', protected: 'left alone', update: 'reconciled', recreate: 'recreated' } as const;

function identifiersWith({ group }: DiscoveredResource): Identifiers | undefined {
  return identifierSets.map(identifiersOf).find(({ apiDomain }) => group === `rbac.authorization.${apiDomain}`);
}

/** The codec of the client reads and returns JSON values. */
function jsonOf(object: GenericObject | Manifest['object']): JsonObject {
  return object as JsonObject;
}
