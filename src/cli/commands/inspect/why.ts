import type { Invocation } from '../../command.ts';
import type { whyFlags } from './flags.ts';
import { hasReason } from '../../../client/error-of-response.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { CliError } from '../../cli-error.ts';
import { withClient } from '../../connect.ts';
import { readTargets } from '../../targets.ts';
import { describedResource } from './describe/describe-object.ts';
import { builtIn, listAll, openSource, type Source } from './describe/parts/related.ts';
import { textAt } from './describe/parts/values.ts';
import type { Finding } from './why/subject.ts';
import { explainObject } from './why/explain-object.ts';
import { visibleLines } from '../../format-rows.ts';

/** `cl why`: says in plain words why objects are not ready, not scheduled or not deleted. */
export async function why({ words, options, io }: Invocation<typeof whyFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const targets = await readTargets(session, words);
    const source = await openSource(session);
    const named = targets.flatMap(({ resource, names }) => names.map((name) => ({ resource, name })));
    if (named.length === 0) throw new CliError('the name of an object is missing', { hint: 'cl why TYPE NAME' });
    for (const [index, { resource: type, name }] of named.entries()) {
      const resource = await describedResource(source.resources, type);
      const namespace = resource.namespaced ? client.settings.namespace : '';
      const object = await read(source, resource, name, namespace);
      const findings = await explainObject(source, resource, object);
      io.stdout.write((index > 0 ? '\n' : '') + visibleLines(report(resource.kind, name, object, findings)));
    }
  });
}

async function read(
  source: Source,
  resource: Parameters<typeof explainObject>[1],
  name: string,
  namespace: string,
): Promise<JsonObject> {
  try {
    const options = { ...(namespace ? { namespace } : {}), signal: source.signal };
    // The codec of the client returns JSON values.
    return (await source.client.resource(resource).get(name, options)) as JsonObject;
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
    const last = await lastEvent(source, name, namespace);
    throw new CliError(error.message, { hint: last || 'no Event is about it', cause: error });
  }
}

/** The last Event about an object that is not there any more. */
async function lastEvent(source: Source, name: string, namespace: string): Promise<string> {
  const resource = builtIn(source.resources, '', 'events');
  if (!resource) return '';
  const selection = { ...(namespace ? { namespace } : {}), fieldSelector: `involvedObject.name=${name}` };
  const last = (await listAll(source, resource, selection).catch(() => [])).at(-1);
  return last ? `last Event: ${textAt(last, 'reason')}: ${textAt(last, 'message')}` : '';
}

function report(kind: string, name: string, object: JsonObject, findings: readonly Finding[]): string {
  const what = `${kind} ${name}`;
  if (findings.length === 0) return `${what}: nothing was found that is wrong with it.\n`;
  const state = textAt(object, 'metadata.deletionTimestamp') === '' ? 'is not as it should be' : 'is being deleted';
  const lines = findings.flatMap(({ says, next }) => [`- ${indent(says)}`, `  next: ${indent(next)}`]);
  return `${what} ${state}:\n${lines.join('\n')}\n`;
}

/** Messages may have several lines. */
function indent(text: string): string {
  return text.trim().replaceAll('\n', '\n    ');
}
