import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { request, type Target } from '../http/http-client.ts';

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';

/** The collections of the types that stories about kubectl change, by its names for them. */
const collections: Readonly<Record<string, string>> = {
  cert: '/apis/cert-manager.io/v1/namespaces/default/certificates',
  configmap: `${core}/configmaps`,
  deployment: `${apps}/deployments`,
  gtw: '/apis/gateway.networking.k8s.io/v1/namespaces/default/gateways',
  hpa: '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers',
  httproute: '/apis/gateway.networking.k8s.io/v1/namespaces/default/httproutes',
  node: '/api/v1/nodes',
  pod: `${core}/pods`,
  prom: '/apis/monitoring.coreos.com/v1/namespaces/default/prometheuses',
  rolebinding: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings',
  secret: `${core}/secrets`,
  service: `${core}/services`,
};

/**
 * Reads an object that kubectl names `deployment web` or `deployment/web`, or the list of a type. A program that only reads
 * what another run of it has changed takes a fifth of a second more.
 */
export async function readObject(server: Target, what: string): Promise<JsonObject> {
  const [type = '', ...name] = what.split(/[ /]/);
  const path = [collections[type] ?? assert.fail(type), ...name].join('/');
  const { status, body, text } = await request(server, 'GET', path);
  assert.equal(status, 200, text);
  return body as JsonObject;
}

/** Prints what is at a path such as `.spec.containers[*].image`, as kubectl does. */
export async function readText(server: Target, what: string, path: string): Promise<string> {
  let values: readonly unknown[] = [await readObject(server, what)];
  for (const [, name, index] of path.matchAll(/\.(\w+)|\[(\*|\d+)\]/g)) {
    values = values.flatMap((value) => {
      const parts = value as Readonly<Record<string, unknown>>;
      return index === '*' ? Object.values(parts) : [parts[name ?? index ?? '']];
    });
  }
  const found = values.filter((value) => value !== undefined);
  return found.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ');
}
