import type { ApiObject } from '../../../client/api-object.ts';
import type { Client } from '../../../client/client.ts';
import type { DiscoveredResource } from '../../../client/discovery.ts';
import { hasReason } from '../../../client/error-of-response.ts';
import { isUnreadableWarning } from '../../../client/unreadable-warning.ts';
import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { findType, resourcesOf } from '../../find-type.ts';
import { visibleLine } from '../../format-rows.ts';
import { preferredResources } from '../../preferred-resources.ts';
import { withProgress } from '../../progress.ts';
import type { rewriteFlags } from './flags.ts';
import { errorMessage } from '../../../status/error-message.ts';

type RewriteInvocation = Invocation<typeof rewriteFlags>;

/** The objects of a page, and the concurrent writes. */
const pageLimit = 500;
const writers = 8;
/** How often a write is tried while others change the object. */
const tries = 5;

/** A run over the objects of a resource. */
interface Run {
  readonly client: Client;
  readonly type: DiscoveredResource;
  /** The version at the start; objects with later versions are skipped. */
  readonly until: bigint;
  readonly report: (text: string) => void;
  readonly onProblem: (problem: string) => void;
}

/**
 * `cl storage rewrite [TYPE...]`: sends an empty patch for each object. The server rewrites an
 * object if it is stored with another key or in another version than it would use now, and leaves
 * other objects unchanged. Objects that were written since the start are skipped.
 */
export async function rewrite(invocation: RewriteInvocation): Promise<void> {
  const { words, options, io } = invocation;
  let problems = 0;
  const onProblem = (problem: string): void => {
    problems++;
    io.stderr.write(visibleLine(problem));
  };
  let isWhole = true;
  const onWarning = (text: string): void => {
    if (!isUnreadableWarning(text)) return;
    isWhole = false;
    io.stderr.write(visibleLine(text));
  };
  await withClient({ ...invocation, hideWarnings: true, onWarning }, async (client) => {
    const session = { client, options, io };
    const types =
      words.length > 0
        ? await Promise.all(words.map((word) => findType(session, word)))
        : preferredResources(await resourcesOf(session)).filter(isWritable);
    for (const type of types) {
      const until = options.resume === undefined ? await newest(client, type, io.signal) : versionOf(options.resume);
      const count = await withProgress(io, (report) => rewriteAll({ client, type, until, report, onProblem }, io));
      io.stdout.write(visibleLine(`${nameOf(type)}: ${count} objects are stored as they should be`));
    }
  });
  if (problems > 0) throw new CliError(`${problems} objects were not written`);
  if (!isWhole) {
    throw new CliError('objects that the server cannot read were not written', {
      hint: 'keep all keys, and give the server those that it lacks',
    });
  }
}

function isWritable({ verbs }: DiscoveredResource): boolean {
  return verbs.includes('list') && verbs.includes('patch');
}

function nameOf({ resource, group }: DiscoveredResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function versionOf(text: string): bigint {
  if (/^\d+$/.test(text)) return BigInt(text);
  throw new CliError(`--resume=${text} is no resourceVersion`, {
    hint: 'use the number that the interrupted run named',
  });
}

/** The newest version at the start: later writes have the present form. */
async function newest(client: Client, type: DiscoveredResource, signal: AbortSignal): Promise<bigint> {
  const { metadata } = await client.metadata(type).list({ limit: 1, signal, ...everywhere(type) });
  return versionOf(metadata.resourceVersion ?? '');
}

function everywhere({ namespaced }: DiscoveredResource): { readonly allNamespaces?: true } {
  return namespaced ? { allNamespaces: true } : {};
}

/**
 * Rewrites the objects of a resource. If interrupted, the error names the version to resume with.
 */
async function rewriteAll(run: Run, { signal }: Pick<RewriteInvocation['io'], 'signal'>): Promise<number> {
  const { client, type, until, report } = run;
  let count = 0;
  try {
    for await (const { items } of client.metadata(type).pages({ limit: pageLimit, signal, ...everywhere(type) })) {
      const old = items.filter(({ metadata }) => BigInt(metadata?.resourceVersion ?? '0') <= until);
      for (let from = 0; from < old.length; from += writers) {
        const some = old.slice(from, from + writers);
        await Promise.all(some.map((object) => rewriteOne(run, object, signal)));
        count += some.length;
        report(`${count} ${nameOf(type)} are done`);
      }
    }
  } catch (error) {
    const hint = `go on with "cl storage rewrite ${nameOf(type)} --resume=${until}"`;
    throw new CliError(`interrupted after ${count} ${nameOf(type)}: ${errorMessage(error)}`, { hint, cause: error });
  }
  return count;
}

/** Sends an empty patch, which only the validation of the object itself can refuse. */
async function rewriteOne(run: Run, { metadata = {} }: ApiObject, signal: AbortSignal): Promise<void> {
  const { client, type, onProblem } = run;
  const { name = '', namespace } = metadata;
  const place = namespace === undefined ? {} : { namespace };
  for (let attempt = 1; ; attempt++) {
    try {
      await client.resource(type).patch(name, {}, { type: 'merge', signal, ...place });
      return;
    } catch (error) {
      if (hasReason(error, 'NotFound')) return;
      if (hasReason(error, 'Conflict') && attempt < tries) continue;
      if (!hasReason(error, 'Conflict', 'Invalid', 'BadRequest', 'Forbidden', 'InternalError')) throw error;
      onProblem(`${nameOf(type)} ${namespace === undefined ? name : `${namespace}/${name}`}: ${errorMessage(error)}`);
      return;
    }
  }
}
