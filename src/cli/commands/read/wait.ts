import type { GenericObject } from '../../../client/api-object.ts';
import type { Client } from '../../../client/client.ts';
import type { DiscoveredResource } from '../../../client/discovery.ts';
import { hasReason } from '../../../client/error-of-response.ts';
import { parseDuration } from '../../../meta/duration.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { CliError, errorLine } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { createResourceFinder, manifestNamespace } from '../../manifests/manifest-resource.ts';
import { writtenPrinter } from '../../printers/print-written.ts';
import { readTargets } from '../../targets.ts';
import { type AwaitedState, parseAwaited } from './wait-condition.ts';
import type { waitFlags } from './wait-flags.ts';

type Options = Invocation<typeof waitFlags>['options'];

interface WaitRun {
  readonly client: Client;
  readonly options: Options;
  readonly io: Invocation['io'];
  /** Ends at the timeout, or when the user ends the command. */
  readonly deadline: AbortSignal;
  /** True: the state is asked for once. */
  readonly isOnce: boolean;
}

/** An object that is awaited. */
interface AwaitedObject {
  readonly resource: DiscoveredResource;
  readonly name: string;
  readonly namespace: string | undefined;
}

/** `cl wait`: ends when objects are in a state, deleted or created; fails at the timeout. */
export async function wait({ words, options, io }: Invocation<typeof waitFlags>): Promise<void> {
  const state = parseAwaited(options.for);
  const timeoutMs = timeoutOf(options.timeout);
  const print = await writtenPrinter(options, io);
  if (options.local) {
    await (await import('./wait-local.ts')).checkFiles(options, io, { state, print });
    return;
  }
  await withClient({ options, io }, async (client) => {
    const deadline = AbortSignal.any([io.signal, AbortSignal.timeout(timeoutMs)]);
    const run: WaitRun = { client, options, io, deadline, isOnce: timeoutMs === 0 };
    const objects = await awaitedObjects(run, words);
    if (objects.length === 0 && state.kind === 'delete') return;
    if (objects.length === 0) throw new CliError('no matching resources found');
    const failures: string[] = [];
    for (const object of objects) {
      try {
        const found = await awaitState(run, object, state);
        if (found) io.stdout.write(print(found, 'condition met'));
      } catch (error) {
        io.signal.throwIfAborted();
        failures.push(errorLine(error));
      }
    }
    io.stderr.write(failures.map((line) => `${line}\n`).join(''));
    if (failures.length > 0) throw new CliError('the condition was not met', { silent: true });
  });
}

const weekMs = 7 * 24 * 3600 * 1000;

function timeoutOf(text: string): number {
  const nanos = parseDuration(/^-?\d+$/.test(text) ? `${text}s` : text);
  if (nanos === undefined) throw new CliError(`--timeout: "${text}" is not valid: use a duration like 30s or 5m`);
  return nanos < 0n ? weekMs : Number(nanos / 1_000_000n);
}

async function awaitedObjects(run: WaitRun, words: readonly string[]): Promise<AwaitedObject[]> {
  const { client, options, io } = run;
  if (options.filename.length > 0) return objectsOfFiles(run);
  const targets = await readTargets({ client, options, io }, words);
  const objects: AwaitedObject[] = [];
  for (const { resource, names } of targets) {
    const namespace = resource.namespaced && !options.allNamespaces ? client.settings.namespace : undefined;
    objects.push(...names.map((name) => ({ resource, name, namespace })));
    if (names.length > 0) continue;
    if (!options.all && !options.selector && !options.fieldSelector) {
      throw new CliError('resource(s) were provided, but no name was specified', {
        hint: 'or select with -l or --all',
      });
    }
    const { selector: labelSelector, fieldSelector } = options;
    const select = { namespace, labelSelector, fieldSelector, signal: io.signal };
    for await (const { items } of client.resource(resource).pages(select)) {
      for (const { metadata } of items) {
        objects.push({ resource, name: metadata?.name ?? '', namespace: metadata?.namespace ?? namespace });
      }
    }
  }
  return objects;
}

async function objectsOfFiles({ client, options, io }: WaitRun): Promise<AwaitedObject[]> {
  const { readManifests } = await import('../../manifests/read-manifests.ts');
  const find = createResourceFinder(client, io.signal);
  const manifests = await readManifests(options, io);
  return Promise.all(
    manifests.map(async (manifest) => {
      const { metadata } = manifest.object as GenericObject;
      const namespace = manifestNamespace(manifest, options.namespace) ?? client.settings.namespace;
      return { resource: await find(manifest), name: metadata?.name ?? '', namespace };
    }),
  );
}

/** Resolves with the object in the state; undefined if there was none to be deleted. */
async function awaitState(
  run: WaitRun,
  awaited: AwaitedObject,
  state: AwaitedState,
): Promise<GenericObject | undefined> {
  const { resource, name } = awaited;
  let last: GenericObject | undefined;
  try {
    for await (const object of statesOf(run, awaited)) {
      if (object === undefined && state.kind === 'state') await run.client.resource(resource).get(name, awaited);
      if (state.isReached(object as JsonObject | undefined)) return object ?? last;
      last = object ?? last;
    }
  } catch (error) {
    if (!run.deadline.aborted) throw error;
  }
  run.io.signal.throwIfAborted();
  const what = run.isOnce ? 'condition not met for' : 'timed out waiting for the condition on';
  throw new CliError(`${what} ${resource.resource}/${name}`);
}

/** The object now and after each change; undefined while it is absent. Ends at the timeout. */
async function* statesOf(
  run: WaitRun,
  { resource, name, namespace }: AwaitedObject,
): AsyncIterable<GenericObject | undefined> {
  const { client, deadline, io, isOnce } = run;
  const objects = client.resource(resource);
  const select = { namespace, fieldSelector: `metadata.name=${name}` };
  for (;;) {
    // The first state is asked for even if the time is over.
    const list = await objects.list({ ...select, signal: isOnce ? io.signal : deadline });
    yield list.items[0];
    if (isOnce || deadline.aborted) return;
    const { resourceVersion } = list.metadata;
    try {
      for await (const { type, object } of objects.watch({ ...select, resourceVersion, signal: deadline })) {
        if (type !== 'BOOKMARK') yield type === 'DELETED' ? undefined : object;
      }
    } catch (error) {
      // The version is too old: the state is listed again.
      if (!hasReason(error, 'Expired', 'Gone')) throw error;
    }
    if (deadline.aborted) return;
  }
}
