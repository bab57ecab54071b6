import type { JsonObject } from '../../../meta/json-value.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import type { LocateConnect } from '../../../registry/definition/connect-location.ts';
import { badRequest } from '../../../status/status-error.ts';

/** Locates the server behind `pods/proxy`: the named port, or the first one of the pod. */
export const locatePod: LocateConnect = async ({ object, scheme, port }) => {
  const host = stringAt(objectAt(object, 'status'), 'podIP');
  if (host === '') throw badRequest('address not allowed');
  const secure = scheme === 'https' ? 'https' : 'http';
  return { scheme: secure, host, port: port || firstPort(object) || secure, path: '', query: '', isNodeAgent: false };
};

function firstPort(pod: JsonObject): string {
  for (const container of objectsAt(objectAt(pod, 'spec'), 'containers')) {
    const [first] = objectsAt(container, 'ports');
    if (first) return String(numberAt(first, 'containerPort') ?? '');
  }
  return '';
}
