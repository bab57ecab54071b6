import { type DiscoveredResource } from '../../../client/discovery.ts';
import { findResource } from '../../../client/find-resource.ts';
import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import type { Invocation } from '../../command.ts';
import { resourceVerbs } from '../../resource-verbs.ts';
import type { whoCanFlags } from './flags.ts';

/** Options that are part of a question about access. */
type AccessQuestionOptions = Invocation<typeof whoCanFlags>['options'];

/** An action on a resource, or on a path; the other fields are then ''. */
export interface AccessQuestion {
  readonly verb: string;
  readonly path: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

interface QuestionContext {
  readonly resources: readonly DiscoveredResource[];
  /** The namespace of the command. */
  readonly namespace: string;
  readonly options: AccessQuestionOptions;
  readonly io: CliIo;
}

/**
 * Parses a verb, a type or path, and perhaps a name: `get pods`, `get pods/a`, `get pods a`,
 * `get /version`. A type that the server does not have is asked for as it is, with a warning.
 */
export function accessQuestion(words: readonly string[], context: QuestionContext): AccessQuestion {
  const [verb, target, ...rest] = words;
  if (!verb || !target || rest.length > 1) {
    throw new CliError('a verb and a type or path are missing', { hint: 'cl auth can-i get pods' });
  }
  const none = { path: '', group: '', resource: '', subresource: '', namespace: '', name: '' };
  if (target.startsWith('/')) return { ...none, verb, path: target };
  const [type = '', ofType = ''] = target.split('/');
  const { subresource = '' } = context.options;
  if (!resourceVerbs.has(verb)) context.io.stderr.write(`Warning: verb '${verb}' is not a known verb\n`);
  return { ...none, verb, subresource, name: rest[0] ?? ofType, ...place(type, context) };
}

function place(
  type: string,
  { resources, namespace, options, io }: QuestionContext,
): Pick<AccessQuestion, 'group' | 'resource' | 'namespace'> {
  const inNamespace = options.allNamespaces ? '' : namespace;
  if (type === '*') return { group: '*', resource: '*', namespace: inNamespace };
  const found = findResource(resources, type);
  if (found) {
    if (!found.namespaced && !options.allNamespaces) {
      io.stderr.write(`Warning: resource '${found.resource}' is not namespace scoped\n`);
    }
    return { group: found.group, resource: found.resource, namespace: found.namespaced ? inNamespace : '' };
  }
  io.stderr.write(`Warning: the server doesn't have a resource type "${type}"\n`);
  const [resource = '', ...group] = type.split('.');
  return { group: group.join('.'), resource, namespace: inNamespace };
}
