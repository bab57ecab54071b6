import type { ServedResource } from '../../registry/definition/catalogue.ts';
import { notFound, qualified, StatusError, type StatusSubject } from '../../status/status-error.ts';
import type { ResourceTarget } from '../request/request-path.ts';

/** The verbs of a namespaced kind outside of namespaces. */
const acrossNamespaces: ReadonlySet<string> = new Set(['list', 'watch']);

/**
 * True if a path has a namespace that its custom kind does not have, or lacks one. Nothing is
 * there, not even an error of the API.
 */
export function isOfOtherScope({ info }: ServedResource, { nested }: ResourceTarget, verb: string): boolean {
  return nested ? !info.namespaced : info.namespaced && !acrossNamespaces.has(verb);
}

/** 404 for a sub-resource that a custom kind does not have. */
export function customNotFound({ info }: ServedResource, { name }: ResourceTarget): StatusError {
  return notFound(subjectOf(info), name);
}

/**
 * 405 for a verb that a custom kind does not have. A definition that is being deleted allows no
 * creates; `ofObjects` is false for a sub-resource, which never has them.
 */
export function customNotAllowed({ info, version }: ServedResource, verb: string, ofObjects: boolean): StatusError {
  const subject = subjectOf(info);
  const message =
    ofObjects && verb === 'create' && !version.verbs.includes(verb)
      ? 'create not allowed while custom resource definition is terminating'
      : `${verb} is not supported on resources of kind ${JSON.stringify(qualified(subject))}`;
  return new StatusError('MethodNotAllowed', message, { details: { group: subject.group, kind: subject.resource } });
}

function subjectOf({ group, resource }: ServedResource['info']): StatusSubject {
  return { group, resource };
}
