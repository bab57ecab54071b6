import type { JsonObject, JsonValue } from '../../../meta/json-value.ts';
import type { Conversion } from '../../../registry/definition/resource-definition.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';

/**
 * The conversions of the two beta versions (spec 9.3). They have `spec.backend` in place of
 * `spec.defaultBackend`. Their backends have `serviceName` and `servicePort`, a number or a string.
 */
export const ingressConversions = {
  'networking/v1beta1': { toStorage, fromStorage },
  'extensions/v1beta1': { toStorage, fromStorage },
} satisfies Readonly<Record<string, Conversion>>;

function toStorage(ingress: JsonObject): JsonObject {
  if (!isSet(ingress, 'spec')) return ingress;
  const { backend, ...spec } = objectAt(ingress, 'spec');
  return {
    ...ingress,
    spec: {
      ...(backend === undefined ? {} : { defaultBackend: backendToStorage(objectAt(ingress, 'spec', 'backend')) }),
      ...withBackends(spec, backendToStorage),
    },
  };
}

function fromStorage(ingress: JsonObject): JsonObject {
  if (!isSet(ingress, 'spec')) return ingress;
  const { defaultBackend, ...spec } = objectAt(ingress, 'spec');
  return {
    ...ingress,
    spec: {
      ...(defaultBackend === undefined
        ? {}
        : { backend: backendFromStorage(objectAt(ingress, 'spec', 'defaultBackend')) }),
      ...withBackends(spec, backendFromStorage),
    },
  };
}

function withBackends(spec: JsonObject, convert: (backend: JsonObject) => JsonObject): JsonObject {
  if (!isSet(spec, 'rules')) return spec;
  const rules = objectsAt(spec, 'rules').map((rule) => {
    if (!isSet(rule, 'http')) return rule;
    const paths = objectsAt(objectAt(rule, 'http'), 'paths').map((path) => ({
      ...path,
      backend: convert(objectAt(path, 'backend')),
    }));
    return { ...rule, http: { ...objectAt(rule, 'http'), paths } };
  });
  return { ...spec, rules };
}

function backendToStorage({ serviceName, servicePort, ...backend }: JsonObject): JsonObject {
  const port = portToStorage(servicePort);
  const isNamed = serviceName !== undefined && serviceName !== '';
  // An empty string is not a port, but it makes the backend one of a service.
  if (!port && !isNamed && typeof servicePort !== 'string') return backend;
  return { ...backend, service: { name: serviceName ?? '', port: port ?? {} } };
}

/** Converts a beta port, which is a number or a name, to v1. 0 and '' mean none. */
function portToStorage(port: JsonValue | undefined): JsonObject | undefined {
  if (typeof port === 'string') return port === '' ? undefined : { name: port };
  return port ? { number: port } : undefined;
}

function backendFromStorage({ service, ...backend }: JsonObject): JsonObject {
  if (service === undefined || service === null) return backend;
  const port = objectAt({ service }, 'service', 'port');
  const name = stringAt(port, 'name');
  return {
    serviceName: stringAt(objectAt({ service }, 'service'), 'name'),
    servicePort: name === '' ? (numberAt(port, 'number') ?? 0) : name,
    ...backend,
  };
}
