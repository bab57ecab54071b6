import type { Pod } from '../../../../gen/stored/core-v1.ts';
import type { LocateConnect } from '../../../../registry/definition/connect-location.ts';
import { badRequest } from '../../../../status/status-error.ts';

/** Locates the server behind `pods/proxy`: the named port, or the first one of the pod. */
export const locatePod: LocateConnect<Pod> = async ({ object: { spec, status }, scheme, port }) => {
  const host = status.podIP ?? '';
  if (host === '') throw badRequest('address not allowed');
  const secure = scheme === 'https' ? 'https' : 'http';
  const [first] = (spec.containers ?? []).flatMap(({ ports = [] }) => ports.slice(0, 1));
  const target = port || String(first?.containerPort ?? secure);
  return { scheme: secure, host, port: target, path: '', query: '', isNodeAgent: false };
};
