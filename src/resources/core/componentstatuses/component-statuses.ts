import { commonFields } from '../../../meta/field-selector.ts';
import { encodeJson } from '../../../codec/encode-json.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import type {
  ListQuery,
  RequestScope,
  ResourceRegistry,
  VersionedObject,
} from '../../../registry/definition/registry.ts';
import type { ResourceDefinition } from '../../../registry/definition/resource-definition.ts';
import { absentCreation } from '../../../scheme/emulated-release.ts';
import { methodNotAllowed, notFound } from '../../../status/status-error.ts';
import type { ComponentHealth, ComponentProbe } from './component-probe.ts';

const subject = { group: '', resource: 'componentstatuses' };
const head = { kind: 'ComponentStatus', apiVersion: 'v1' };

/** The registry of component statuses. Nothing is stored: every read probes the components. */
export function componentStatuses(info: ResourceDefinition, probes: readonly ComponentProbe[]): ResourceRegistry {
  return {
    info,
    selectableFields: () => commonFields,
    get: (scope) => getComponent(probes, scope),
    peek: () => undefined,
    list: async (scope, query) => {
      const items = await Promise.all(selected(probes, query).map((probe) => statusOf(probe, scope)));
      return { revision: 0, continueToken: '', remaining: undefined, items };
    },
    watch: () => {
      throw methodNotAllowed();
    },
    create: refused,
    complete: refused,
    update: refused,
    changeOwnValues: refused,
    patch: refused,
    delete: refused,
    deleteCollection: refused,
  };
}

function refused(): Promise<never> {
  return Promise.reject(methodNotAllowed());
}

async function getComponent(probes: readonly ComponentProbe[], scope: RequestScope): Promise<VersionedObject> {
  const probe = probes.find(({ name }) => name === scope.name);
  if (!probe) throw notFound(subject, scope.name);
  return statusOf(probe, scope);
}

function selected(probes: readonly ComponentProbe[], { filter, fieldName }: ListQuery): readonly ComponentProbe[] {
  return probes.filter(({ name }) => {
    const index = { labels: new Map<string, string>(), fields: new Map([['metadata.name', name]]) };
    return (fieldName === undefined || fieldName === name) && (filter?.(index, { namespace: '', uid: '' }) ?? true);
  });
}

async function statusOf({ name, probe }: ComponentProbe, scope: RequestScope): Promise<VersionedObject> {
  const health = await probe(scope.cancellation.signal);
  const object: JsonObject = {
    ...head,
    metadata: { name, ...absentCreation(scope.emulated) },
    conditions: [conditionOf(health)],
  };
  return { json: Buffer.from(encodeJson(object)) };
}

function conditionOf({ healthy, message }: ComponentHealth): JsonObject {
  const type = 'Healthy';
  if (healthy === undefined) return { type, status: 'Unknown', message };
  return healthy ? { type, status: 'True', message } : { type, status: 'False', message };
}
