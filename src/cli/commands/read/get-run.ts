import { readObject } from '../../../client/read-object.ts';
import type { Client } from '../../../client/client.ts';
import { resourcePath } from '../../../client/resource-path.ts';
import { hasReason, StatusError } from '../../../client/error-of-response.ts';
import { identifierSets, identifiersOf } from '../../../identifiers/identifiers.ts';
import { isJsonObject, type JsonObject } from '../../../meta/json-value.ts';
import { formatApiVersion } from '../../../meta/group-version-kind.ts';
import { CliError, errorLine } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import { requireReached } from '../../object-history.ts';
import type { Target } from '../../targets.ts';
import type { getFlags } from './flags.ts';

/** A running `cl get`. */
export interface GetRun {
  readonly client: Client;
  readonly options: Invocation<typeof getFlags>['options'];
  readonly io: Invocation['io'];
}

/** Accepts the media type with either set of identifiers, because the server's set is unknown. */
export const tableAccept = [
  ...identifierSets.map((set) => `application/json;as=Table;v=v1;g=meta.${identifiersOf(set).apiDomain}`),
  'application/json;q=0.9',
].join(',');

/** The namespace of requests for a target; undefined for all, and for resources of the cluster. */
export function namespaceOf({ client, options }: GetRun, { resource, namespace }: Target): string | undefined {
  if (!resource.namespaced || options.allNamespaces) return undefined;
  return namespace ?? client.settings.namespace;
}

/** Parameters of a request. */
type GetQuery = Readonly<Record<string, string | number | boolean | undefined>>;

/** Reads an object or a list. */
export async function fetchValue(
  { client, io }: GetRun,
  request: { readonly path: string; readonly query?: GetQuery; readonly accept: string },
): Promise<JsonObject> {
  const body = await client.transport.request({ method: 'GET', ...request, signal: io.signal });
  return readObject(client.codec, body, { method: 'GET', ...request }) as JsonObject;
}

/**
 * The responses for a target: one for each name, or the pages of the collection. An object that
 * the server refuses is added to `refusals`, and the others follow.
 */
export async function* responses(
  run: GetRun,
  target: Target,
  { accept, query, refusals }: { readonly accept: string; readonly query?: GetQuery; readonly refusals: unknown[] },
): AsyncIterable<JsonObject> {
  const { options } = run;
  const namespace = namespaceOf(run, target);
  const { resource, names } = target;
  const { subresource } = options;
  try {
    await requireReached(run, { resource, namespace }, options.atRevision);
    for (const name of options.atRevision === undefined ? names : []) {
      const path = resourcePath(resource, { namespace, name, ...(subresource === undefined ? {} : { subresource }) });
      const value = await fetchValue(run, { path, query, accept }).catch(noted(run, refusals));
      if (value) yield value;
    }
    if (options.atRevision !== undefined) for (const name of names) yield await pastValue(run, target, name, accept);
    if (names.length === 0) yield* pages(run, resourcePath(resource, { namespace }), { accept, query });
  } catch (error) {
    noted(run, refusals)(error);
  }
}

/** The parameters of a list as it was. */
function past({ atRevision }: GetRun['options']): GetQuery {
  return atRevision === undefined ? {} : { resourceVersion: atRevision, resourceVersionMatch: 'Exact' };
}

/** An object as it was, or a Table of it, read by a list: only lists tell of the past. */
async function pastValue(run: GetRun, target: Target, name: string, accept: string): Promise<JsonObject> {
  const { resource } = target;
  const path = resourcePath(resource, { namespace: namespaceOf(run, target) });
  const list = await fetchValue(run, {
    path,
    query: { ...past(run.options), fieldSelector: `metadata.name=${name}` },
    accept,
  });
  const found = [list['rows'], list['items']].flat().find(isJsonObject);
  if (!found) throw new CliError(`${resource.resource} "${name}" did not exist at revision ${run.options.atRevision}`);
  return list.kind === 'Table'
    ? list
    : { apiVersion: formatApiVersion(resource.group, resource.version), kind: resource.kind, ...found };
}

/** Adds a refusal of the server; throws other errors. */
function noted({ options }: GetRun, refusals: unknown[]): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof StatusError) || error.code === 0) throw error;
    if (!(options.ignoreNotFound && hasReason(error, 'NotFound'))) refusals.push(error);
  };
}

async function* pages(
  run: GetRun,
  path: string,
  { accept, query: given }: { readonly accept: string; readonly query?: GetQuery | undefined },
): AsyncIterable<JsonObject> {
  const { selector: labelSelector, fieldSelector, chunkSize } = run.options;
  const common = { ...given, labelSelector, fieldSelector, limit: chunkSize || undefined };
  for (let token: string | undefined; ; ) {
    const query = token === undefined ? { ...common, ...past(run.options) } : { ...common, continue: token };
    const page = await fetchValue(run, { path, query, accept });
    yield page;
    const next = isJsonObject(page.metadata) ? page.metadata.continue : undefined;
    if (typeof next !== 'string' || next === '') return;
    token = next;
  }
}

/** Ends a command that printed what it could: reports the refusals, and fails if there are any. */
export function reportRefusals({ io }: GetRun, refusals: readonly unknown[]): void {
  const lines = new Set(refusals.map(errorLine));
  for (const line of lines) io.stderr.write(`${line}\n`);
  if (lines.size > 0) throw new CliError('some objects could not be read', { silent: true });
}
