import type { Invocation } from '../../command.ts';
import { isNonStatusResponse, StatusError } from '../../../client/error-of-response.ts';
import type { getFlags } from './flags.ts';
import { CliError } from '../../cli-error.ts';
import { withClient } from '../../connect.ts';
import { readOutput } from '../../printers/print-object.ts';
import type { GetRun } from './get-run.ts';
import { createResourceFinder, manifestNamespace } from '../../manifests/manifest-resource.ts';
import { readTargets, type Target } from '../../targets.ts';
import { isJsonObject } from '../../../meta/json-value.ts';

/** `cl get`: shows objects; with `-w` also their changes. */
export async function get({ words, options, io }: Invocation<typeof getFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const run = { client, options, io };
    if (options.raw !== undefined) {
      await printRaw(run, options.raw, words);
      return;
    }
    if (options.showLabels && !isTable(run)) {
      throw new CliError(`--show-labels option cannot be used with ${readOutput(options).format} printer`, {
        hint: 'it adds a column to the table',
      });
    }
    const isWatch = options.watch || options.watchOnly;
    if (options.outputWatchEvents && !isWatch) {
      throw new CliError('--output-watch-events option can only be used with --watch or --watch-only');
    }
    const targets = await getTargets(run, words);
    if (isWatch) await (await import('./get-watch.ts')).watchTarget(run, targets);
    else if (isTable(run)) await (await import('./get-table.ts')).showTables(run, targets);
    else await (await import('./get-objects.ts')).showObjects(run, targets);
  });
}

/** Reports whether rows are shown, not objects. */
function isTable({ options }: GetRun): boolean {
  return ['', 'wide'].includes(readOutput(options).format);
}

async function printRaw({ client, io }: GetRun, raw: string, words: readonly string[]): Promise<void> {
  if (words.length > 0) throw new CliError('arguments may not be passed when --raw is specified');
  if (!raw.startsWith('/'))
    throw new CliError('the path of --raw begins with /', { hint: 'for example: --raw /readyz' });
  const reading = client.transport.request({ method: 'GET', path: raw, accept: '*/*', signal: io.signal });
  io.stdout.write(await reading.catch(unserved));
}

/** A path that is not served is answered with a list of those that are, which nobody asked for. */
function unserved(error: unknown): never {
  if (!isNonStatusResponse(error) || error.code !== 404) throw error;
  const message = 'the server could not find the requested resource';
  throw new StatusError({ kind: 'Status', code: 404, reason: 'NotFound', message }, { cause: error });
}

/** The objects that `cl get` shows, from its arguments or from files. */
async function getTargets(run: GetRun, words: readonly string[]): Promise<Target[]> {
  const { options } = run;
  if (options.filename.length > 0 || options.kustomize) {
    if (words.length > 0) throw new CliError('either files or types and names are given, not both');
    return fileTargets(run);
  }
  const targets = await readTargets(run, words);
  const named = targets.find(({ names }) => names.length > 0);
  if (!named) return targets;
  if (options.selector || options.fieldSelector)
    throw new CliError('name cannot be provided when a selector is specified');
  if (options.allNamespaces && named.resource.namespaced) {
    throw new CliError('a resource cannot be retrieved by name across all namespaces', {
      hint: 'set the namespace with -n',
    });
  }
  return targets;
}

async function fileTargets(run: GetRun): Promise<Target[]> {
  const { client, options, io } = run;
  const { readManifests } = await import('../../manifests/read-manifests.ts');
  const find = createResourceFinder(client, io.signal);
  const manifests = await readManifests(options, io);
  return Promise.all(
    manifests.map(async (manifest) => {
      const { metadata } = manifest.object;
      const name = isJsonObject(metadata) ? metadata.name : undefined;
      if (typeof name !== 'string' || !name) throw new CliError(`${manifest.where}: metadata.name must be set`);
      const namespace = manifestNamespace(manifest, options.namespace) ?? client.settings.namespace;
      return { resource: await find(manifest), names: [name], namespace };
    }),
  );
}
