import { getOwn, isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import type { Labels } from '../../meta/label-requirement.ts';
import type { AdmissionAttributes } from '../admission.ts';

/** No labels. */
export const noLabels: Labels = Object.freeze({});

/** True for requests about a Namespace or one of its sub-resources. */
export function isNamespace({ resource }: AdmissionAttributes): boolean {
  return resource.group === '' && resource.resource === 'namespaces';
}

/**
 * The namespace of a request as admission reviews show it: a Namespace is in itself. '' for other
 * cluster-scoped objects.
 */
export function namespaceOfRequest(attributes: AdmissionAttributes): string {
  return isNamespace(attributes) ? attributes.name : attributes.namespace;
}

/**
 * True for creates and updates of Namespaces: selectors match the written labels, whereas for
 * deletes they match the stored labels.
 */
export function isNamespaceWrite(attributes: AdmissionAttributes): boolean {
  return isNamespace(attributes) && attributes.subresource === '' && attributes.operation !== 'DELETE';
}

/** The labels of an object; undefined if there is no object, or no metadata for labels. */
export function labelsIn(object: JsonObject | undefined): Labels | undefined {
  const metadata = object && getOwn(object, 'metadata');
  if (!isJsonObject(metadata)) return undefined;
  const labels = getOwn(metadata, 'labels');
  // The decoder has checked that labels are strings.
  return isJsonObject(labels) ? (labels as Readonly<Record<string, string>>) : noLabels;
}
