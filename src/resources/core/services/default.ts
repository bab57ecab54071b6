import type { Service, ServicePort, ServiceSpec } from '../../../gen/stored/core-v1.ts';

/** Fills in the defaults of a Service that depend on other fields. Mutates. */
export function defaultService({ spec }: Service): void {
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
