import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { isJsonObject } from '../../meta/json-value.ts';
import type { Labels } from '../../meta/label-requirement.ts';
import type { ListerOf } from '../../meta/lister.ts';
import { labelsOf } from '../../meta/object-meta.ts';
import { notFound, StatusError } from '../../status/status-error.ts';
import type { AdmissionAttributes } from '../admission.ts';
import type { SelectLabels } from './configured-webhook.ts';
import type { Candidate } from './webhook-source.ts';

/**
 * Decides by the selectors of a webhook whose rules match whether it is called: by the labels of
 * the namespace, and of the objects at this moment. Throws `StatusError` for an unreadable
 * selector.
 */
export type IsSelected = (candidate: Candidate) => boolean;

/** Reads what the selectors of candidates decide on. Rejects if the namespace does not exist. */
export type ReadSelection = (
  candidates: readonly Candidate[],
  attributes: AdmissionAttributes,
) => MaybePromise<IsSelected>;

interface NamespaceLabels {
  readonly labels: Labels;
}

const noLabels: Labels = Object.freeze({});

/** Reads namespaces by a lister. */
export function selectionReader(listerOf: ListerOf): ReadSelection {
  const namespaces = listerOf({ group: '', resource: 'namespaces', read: readNamespace, warm: true });
  const labelsOfNamespace = (name: string, signal: AbortSignal): MaybePromise<Labels> => {
    const known = namespaces.peek('', name);
    if (known) return known.labels;
    const found = namespaces.get('', name, signal);
    return found instanceof Promise ? found.then((item) => existing(item, name)) : existing(found, name);
  };
  return (candidates, attributes) => {
    if (!needsNamespace(candidates, attributes)) return selectionOf(attributes, undefined);
    const labels = isNamespaceWrite(attributes)
      ? objectLabels(attributes.object)
      : labelsOfNamespace(namespaceOfRequest(attributes), attributes.signal);
    if (labels instanceof Promise) return labels.then((found) => selectionOf(attributes, found));
    return selectionOf(attributes, labels ?? noLabels);
  };
}

function readNamespace(object: JsonObject): NamespaceLabels {
  return { labels: labelsOf(object) };
}

function existing(item: NamespaceLabels | undefined, name: string): Labels {
  if (item) return item.labels;
  throw notFound({ group: '', resource: 'namespaces' }, name);
}

function isNamespace({ resource }: AdmissionAttributes): boolean {
  return resource.group === '' && resource.resource === 'namespaces';
}

/**
 * The namespace of a request as admission reviews show it: a Namespace is in itself. '' for other
 * objects without namespace.
 */
export function namespaceOfRequest(attributes: AdmissionAttributes): string {
  return isNamespace(attributes) ? attributes.name : attributes.namespace;
}

/** A Namespace that is written has the labels of the write; one that is deleted those it has. */
function isNamespaceWrite(attributes: AdmissionAttributes): boolean {
  return isNamespace(attributes) && attributes.subresource === '' && attributes.operation !== 'DELETE';
}

/** Selectors of namespaces do not exempt other objects without namespace. */
function needsNamespace(candidates: readonly Candidate[], attributes: AdmissionAttributes): boolean {
  return (
    (attributes.namespace !== '' || isNamespace(attributes)) &&
    candidates.some(({ webhook }) => webhook.namespaceSelector !== undefined)
  );
}

function selectionOf(attributes: AdmissionAttributes, namespace: Labels | undefined): IsSelected {
  const oldLabels = objectLabels(attributes.oldObject);
  let current = { metadata: attributes.object?.['metadata'], labels: objectLabels(attributes.object) };
  const currentLabels = (): Labels | undefined => {
    const metadata = attributes.object?.['metadata'];
    // A webhook that changes the object replaces its parts.
    if (metadata !== current.metadata) current = { metadata, labels: objectLabels(attributes.object) };
    return current.labels;
  };
  return ({ webhook: { name, namespaceSelector, objectSelector } }) => {
    if (namespace && namespaceSelector && !select(name, namespaceSelector, namespace)) return false;
    if (!objectSelector) return true;
    const labels = currentLabels();
    return (
      (labels !== undefined && select(name, objectSelector, labels)) ||
      (oldLabels !== undefined && select(name, objectSelector, oldLabels))
    );
  };
}

/** The labels of an object; undefined if there is none, or if it cannot have any. */
function objectLabels(object: JsonObject | undefined): Labels | undefined {
  if (!object) return undefined;
  const { metadata } = object;
  return isJsonObject(metadata) ? labelsOf(object) : undefined;
}

function select(name: string, selector: SelectLabels, labels: Labels): boolean {
  try {
    return selector(labels);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new StatusError('InternalError', `Internal error occurred: admission webhook "${name}": ${cause.message}`, {
      cause,
    });
  }
}
