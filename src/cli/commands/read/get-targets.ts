import { CliError } from '../../cli-error.ts';
import { createResourceFinder, manifestNamespace } from '../../manifests/manifest-resource.ts';
import { readTargets, type Target } from '../../targets.ts';
import { isJsonObject } from '../../../meta/json-value.ts';
import type { GetRun } from './get-run.ts';

/** The objects that `cl get` shows: those of its words or of files. */
export async function getTargets(run: GetRun, words: readonly string[]): Promise<Target[]> {
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
