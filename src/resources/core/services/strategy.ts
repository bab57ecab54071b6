import type { Service, ServicePort, ServiceSpec } from '../../../gen/stored/core-v1.ts';
import { validateDns1035Label, validateNameBase } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { checkLoadBalancerStatus } from '../../rules/fields/load-balancer-status.ts';
import { keepAllocated } from './keep-allocated.ts';
import { validateService } from './validate.ts';

/** The strategy of Services. Their names are labels of RFC 1035, because they become DNS names. */
export const strategy: Strategy<Service> = {
  validateName: (name, prefix) => (prefix ? validateNameBase(validateDns1035Label, name) : validateDns1035Label(name)),
  default: defaultService,
  prepareForCreate: mirrorClusterIp,
  prepareForUpdate: (service, old) => {
    mirrorClusterIp(service);
    keepAllocated(service, old);
  },
  validate: (service, { identifiers }, old) => validateService(service, identifiers, old),
  allowCreateOnUpdate: true,
  generation: false,
  subresources: {
    status: {
      validateUpdate: (service) => checkLoadBalancerStatus('status.loadBalancer', service.status.loadBalancer),
    },
  },
};

/** Fills in the defaults of a Service that depend on other fields. Mutates. */
function defaultService({ spec }: Service): void {
  for (const port of spec.ports ?? []) defaultTarget(port);
  if (['NodePort', 'LoadBalancer'].includes(spec.type)) spec.externalTrafficPolicy ??= 'Cluster';
  if (['ClusterIP', 'NodePort', 'LoadBalancer'].includes(spec.type)) spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
  defaultAffinity(spec);
}

function defaultTarget(port: ServicePort): void {
  if (!port.targetPort) port.targetPort = port.port;
}

/** Default duration of session affinity, in seconds: three hours. */
const stickySeconds = 10_800;

function defaultAffinity(spec: ServiceSpec): void {
  if (spec.sessionAffinity !== 'ClientIP') {
    delete spec.sessionAffinityConfig;
    return;
  }
  spec.sessionAffinityConfig ??= {};
  spec.sessionAffinityConfig.clientIP ??= { timeoutSeconds: stickySeconds };
  spec.sessionAffinityConfig.clientIP.timeoutSeconds ??= stickySeconds;
}

/**
 * Fills in `clusterIPs` from `clusterIP`, or the other way: clients and mutating webhooks may write
 * either, and own what they wrote alone. Mutates `service`.
 */
function mirrorClusterIp({ spec }: Service): void {
  const [first] = spec.clusterIPs ?? [];
  if (spec.clusterIP && first === undefined) spec.clusterIPs = [spec.clusterIP];
  else if (spec.clusterIP === undefined && first !== undefined) spec.clusterIP = first;
}
