import type { JsonObject } from '../../../../meta/json-value.ts';
import { CliError } from '../../../cli-error.ts';
import type { Invocation } from '../../../command.ts';
import { withClient } from '../../../connect.ts';
import type { Session } from '../../../find-type.ts';
import { objectsAt, presentRevision, requireReached } from '../../../object-history.ts';
import { readTargets, type Target } from '../../../targets.ts';
import { partAt, plain } from '../describe/parts/values.ts';
import type { ObjectComparison } from './object-comparison.ts';
import type { Sides } from './show-differences.ts';

/** The values of the flags of `cl diff` that count here. */
interface RevisionOptions {
  readonly revisions: string | undefined;
  readonly allNamespaces: boolean;
  readonly selector: string | undefined;
  readonly filename: readonly string[];
  readonly kustomize: string | undefined;
}

type RevisionInvocation = Pick<Invocation, 'words' | 'io'> & {
  readonly options: Invocation['options'] & RevisionOptions;
};

/** The objects of both revisions, and the revisions as names of the sides. */
interface ComparedRevisions {
  readonly sides: Sides;
  readonly compared: readonly ObjectComparison[];
}

/** `cl diff --revisions A..B TYPE [NAME...]`: the objects as they were at two revisions. */
export async function compareRevisions({ words, options, io }: RevisionInvocation): Promise<ComparedRevisions> {
  if (options.filename.length > 0 || options.kustomize !== undefined) {
    throw new CliError('--revisions is about objects of the server, -f and -k about files', { hint: 'leave one out' });
  }
  const [from, to] = parseRevisions(options.revisions ?? '');
  return withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const targets = await readTargets(session, words);
    const compared: ObjectComparison[] = [];
    let until = to;
    for (const target of targets) {
      const place = { resource: target.resource, namespace: namespaceOf(target, session, options) };
      // Without an end it is the present; all types are read at the same.
      until ??= await presentRevision(session, place);
      await requireReached(session, place, Math.max(from, until));
      compared.push(...(await compareTarget(session, target, [from, until], options)));
    }
    return { sides: [`revision-${from}`, `revision-${until ?? from}`], compared };
  });
}

function parseRevisions(text: string): readonly [from: number, to: number | undefined] {
  const [, from = '', to = ''] = /^([1-9]\d{0,15})\.\.([1-9]\d{0,15})?$/.exec(text) ?? [];
  if (from === '') {
    throw new CliError(`--revisions: ${JSON.stringify(text)} is not of the form A..B`, {
      hint: 'for example: --revisions=1200..1250, or 1200.. until now; "cl history" lists those of an object',
    });
  }
  return [Number(from), to === '' ? undefined : Number(to)];
}

function namespaceOf({ resource }: Target, { client }: Session, { allNamespaces }: RevisionOptions) {
  return resource.namespaced && !allNamespaces ? client.settings.namespace : undefined;
}

async function compareTarget(
  session: Session,
  target: Target,
  revisions: readonly [from: number, to: number],
  options: RevisionOptions,
): Promise<ObjectComparison[]> {
  const { resource, names } = target;
  if (names.length > 0 && (options.selector || options.allNamespaces)) {
    throw new CliError('names cannot be used together with -l or -A', { hint: 'leave out the names' });
  }
  const selection = { namespace: namespaceOf(target, session, options), names, labelSelector: options.selector };
  const [before, after] = await Promise.all(
    revisions.map(async (revision) => byName(await objectsAt(session, { resource, ...selection }, revision))),
  );
  const keys = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  const missing = names.filter((name) => ![...keys].some((key) => key.endsWith(`/${name}`)));
  if (missing.length > 0) {
    throw new CliError(`${resource.resource} "${missing[0]}" existed at neither revision`, {
      hint: `"cl history ${resource.resource} ${missing[0]}" lists its revisions`,
    });
  }
  return [...keys].map((key) => ({ resource, before: before?.get(key), after: after?.get(key) }));
}

/** The objects without the version, which differs whenever anything does. */
function byName(objects: readonly JsonObject[]): ReadonlyMap<string, JsonObject> {
  return new Map(
    objects.map((object) => {
      const { resourceVersion: _, ...metadata } = partAt(object, 'metadata');
      return [`${plain(metadata.namespace)}/${plain(metadata.name)}`, { ...object, metadata }];
    }),
  );
}
