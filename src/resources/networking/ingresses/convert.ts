import type { TypedLocalObjectReference } from '../../../gen/stored/core-v1.ts';
import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressRule,
  IngressSpec,
  ServiceBackendPort,
} from '../../../gen/stored/networking-v1.ts';
import { typedConversion } from '../../built-in.ts';

interface BetaBackend {
  readonly serviceName?: string;
  readonly servicePort?: number | string;
  readonly resource?: TypedLocalObjectReference;
}

/** A rule whose backends have the type B. */
interface RuleTo<B> extends Omit<IngressRule, 'http'> {
  readonly http?: { readonly paths: (Omit<HTTPIngressPath, 'backend'> & { readonly backend: B })[] | null };
}

interface BetaIngress {
  readonly spec: Omit<IngressSpec, 'defaultBackend' | 'rules'> & {
    readonly backend?: BetaBackend;
    readonly rules?: RuleTo<BetaBackend>[];
  };
}

/**
 * The conversion of the beta versions of both groups (spec 9.3). They have `spec.backend` in place
 * of `spec.defaultBackend`. Their backends have `serviceName` and `servicePort`, a number or a
 * string.
 */
export const ingressConversion = typedConversion<BetaIngress, Pick<Ingress, 'spec'>>({
  toStorage: ({ spec: { backend, rules, ...spec }, ...ingress }) => ({
    ...ingress,
    spec: {
      ...(backend ? { defaultBackend: backendToStorage(backend) } : {}),
      ...spec,
      ...(rules ? { rules: rules.map((rule) => withBackends(rule, backendToStorage)) } : {}),
    },
  }),
  fromStorage: ({ spec: { defaultBackend, rules, ...spec }, ...ingress }) => ({
    ...ingress,
    spec: {
      ...(defaultBackend ? { backend: backendFromStorage(defaultBackend) } : {}),
      ...spec,
      ...(rules ? { rules: rules.map((rule) => withBackends(rule, backendFromStorage)) } : {}),
    },
  }),
});

function withBackends<From, To>({ http, ...rule }: RuleTo<From>, convert: (backend: From) => To): RuleTo<To> {
  if (!http) return rule;
  const paths = http.paths?.map((path) => ({ ...path, backend: convert(path.backend) })) ?? null;
  return { ...rule, http: { ...http, paths } };
}

function backendToStorage({ serviceName = '', servicePort, ...backend }: BetaBackend): IngressBackend {
  const port = portToStorage(servicePort);
  // An empty string is not a port, but it makes the backend one of a service.
  if (!port && serviceName === '' && typeof servicePort !== 'string') return backend;
  return { ...backend, service: { name: serviceName, port: port ?? {} } };
}

/** Converts a beta port, which is a number or a name, to v1. 0 and '' mean none. */
function portToStorage(port: number | string | undefined): ServiceBackendPort | undefined {
  if (!port) return undefined;
  return typeof port === 'string' ? { name: port } : { number: port };
}

function backendFromStorage({ service, ...backend }: IngressBackend): BetaBackend {
  if (!service) return backend;
  const { name, port } = service;
  return { serviceName: name, servicePort: port.name || (port.number ?? 0), ...backend };
}
