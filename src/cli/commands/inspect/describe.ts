import type { Invocation } from '../../command.ts';
import type { describeFlags } from './flags.ts';
import type { DiscoveredResource } from '../../../client/discovery.ts';
import { hasReason } from '../../../client/error-of-response.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { CliError, errorLine } from '../../cli-error.ts';
import { withClient } from '../../connect.ts';
import type { Session } from '../../find-type.ts';
import { createResourceFinder, manifestNamespace } from '../../manifests/manifest-resource.ts';
import { readManifests } from '../../manifests/read-manifests.ts';
import { readTargets } from '../../targets.ts';
import { describedResource, describeObject } from './describe/describe-object.ts';
import { listAll, openSource, type Source } from './describe/parts/related.ts';
import { textAt } from './describe/parts/values.ts';

type DescribeOptions = Invocation<typeof describeFlags>['options'];

/** `cl describe`: shows objects in full, with what belongs to them and their Events. */
export async function describe({ words, options, given, io }: Invocation<typeof describeFlags>): Promise<void> {
  const hasFiles = options.filename.length > 0 || options.kustomize !== undefined;
  if (words.length > 0 === hasFiles) {
    throw new CliError('give the objects as words, or files with -f', { hint: 'for example: cl describe pod web' });
  }
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const source = await openSource(session, options.chunkSize);
    const wanted = await (words.length > 0 ? wantedByWords(session, options, words) : wantedByFiles(session, options));
    let failures = 0;
    const fail = (error: unknown): void => {
      if (io.signal.aborted || wanted.length === 1) throw error;
      io.stderr.write(`${errorLine(error)}\n`);
      failures += 1;
    };
    await showAll(source, wanted, { ...session, options, fail }, given('showEvents'));
    if (failures > 0) throw new CliError(`${failures} of ${wanted.length} objects cannot be shown`, { silent: true });
  });
}

/** An object by name, or the objects of a collection. */
interface Wanted {
  readonly resource: DiscoveredResource;
  readonly namespace: string | undefined;
  readonly name?: string;
}

async function wantedByWords(session: Session, options: DescribeOptions, words: readonly string[]): Promise<Wanted[]> {
  const targets = await readTargets(session, words);
  const { namespace: own } = session.client.settings;
  return targets.flatMap(({ resource, names }): Wanted[] => {
    if (names.length > 0 && options.selector) throw new CliError('names and -l cannot be used together');
    if (names.length > 0 && options.allNamespaces) throw new CliError('a name cannot be sought in all namespaces');
    const namespace = resource.namespaced && !options.allNamespaces ? own : undefined;
    return names.length > 0 ? names.map((name) => ({ resource, namespace, name })) : [{ resource, namespace }];
  });
}

async function wantedByFiles(session: Session, options: DescribeOptions): Promise<Wanted[]> {
  const find = createResourceFinder(session.client, session.io.signal);
  const manifests = await readManifests(options, session.io);
  return Promise.all(
    manifests.map(async (manifest) => {
      const resource = await find(manifest);
      const namespace = resource.namespaced
        ? (manifestNamespace(manifest, options.namespace) ?? session.client.settings.namespace)
        : undefined;
      return { resource, namespace, name: textAt(manifest.object, 'metadata.name') };
    }),
  );
}

/** An object to describe. */
interface Found {
  readonly resource: DiscoveredResource;
  readonly object: JsonObject;
  /** False if the name of the object only begins with the given one. */
  readonly isMatch: boolean;
}

async function findAll(source: Source, wanted: readonly Wanted[], run: DescribeRun): Promise<Found[]> {
  const found: Found[] = [];
  for (const each of wanted) {
    const resource = await describedResource(source.resources, each.resource);
    try {
      found.push(...(await readWanted(source, { ...each, resource }, run.options)));
    } catch (error) {
      run.fail(error);
    }
  }
  return found;
}

interface DescribeRun extends Session {
  readonly options: DescribeOptions;
  /** Reports an object that cannot be read, so that the others are still shown. */
  readonly fail: (error: unknown) => void;
}

async function showAll(source: Source, wanted: readonly Wanted[], run: DescribeRun, events: boolean): Promise<void> {
  const { client, options, io } = run;
  const found = await findAll(source, wanted, run);
  // The Events of many objects are asked for only on demand: each takes a request.
  const isSingle = wanted.length === 1 && found.length === 1 && found.every(({ isMatch }) => !isMatch);
  const showEvents = options.showEvents && (events || isSingle);
  for (const [index, { resource, object, isMatch }] of found.entries()) {
    const text = await describeObject(source, resource, object, showEvents);
    io.stdout.write(isMatch ? `${text}\n` : `${index > 0 ? '\n\n' : ''}${text}`);
  }
  if (found.length > 0 || wanted.some(({ name }) => name !== undefined)) return;
  const isIn = !options.allNamespaces && wanted.some(({ namespace }) => namespace !== undefined);
  io.stderr.write(`No resources found${isIn ? ` in ${client.settings.namespace} namespace.` : ''}\n`);
}

async function readWanted(
  source: Source,
  { resource, namespace, name }: Wanted,
  { selector: labelSelector }: DescribeOptions,
): Promise<Found[]> {
  const inNamespace = namespace === undefined ? {} : { namespace };
  if (name === undefined) {
    const all = await listAll(source, resource, { ...inNamespace, ...(labelSelector ? { labelSelector } : {}) });
    return all.map((object) => ({ resource, object, isMatch: false }));
  }
  try {
    const options = { ...inNamespace, signal: source.signal };
    const object = (await source.client.resource(resource).get(name, options)) as JsonObject;
    return [{ resource, object, isMatch: false }];
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
    const all = await listAll(source, resource, inNamespace);
    const matches = all.filter((object) => textAt(object, 'metadata.name').startsWith(name));
    if (matches.length === 0) throw error;
    return matches.map((object) => ({ resource, object, isMatch: true }));
  }
}
