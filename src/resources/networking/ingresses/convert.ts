import type { JsonObject, JsonValue } from '../../../meta/json-value.ts';
import type { Conversion } from '../../../registry/resource-definition.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';

/**
 * The two beta versions (spec 9.3): `spec.backend` for `spec.defaultBackend`, and backends that name their service by
 * `serviceName` and `servicePort`, a number or a string.
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
  // A port that is an empty text is no port, and yet speaks of a service.
  if (!port && !isNamed && typeof servicePort !== 'string') return backend;
  return { ...backend, service: { name: serviceName ?? '', port: port ?? {} } };
}

/** The beta port has one field where v1 has two; 0 and '' both mean none. */
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
