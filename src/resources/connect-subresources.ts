import type { ConnectDefinition } from '../registry/connect-definition.ts';

type Traits = Pick<ConnectDefinition, 'methods' | 'hasPath' | 'hasPort'>;

/** The traits of a stream to and from a container. */
const stream: Traits = { methods: ['GET', 'POST'], hasPath: false, hasPort: false };

/** The traits of the output of a container. */
const log: Traits = { methods: ['GET'], hasPath: false, hasPort: false };

/** The traits of a proxy to a server, which has paths and methods of its own. */
const proxy: Traits = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  hasPath: true,
  hasPort: true,
};

/** The sub-resources that are connections and not objects, as in kube-apiserver. */
export const connectSubresources: readonly ConnectDefinition[] = [
  { group: '', resource: 'nodes', subresource: 'proxy', kind: 'NodeProxyOptions', ...proxy },
  { group: '', resource: 'pods', subresource: 'attach', kind: 'PodAttachOptions', ...stream },
  { group: '', resource: 'pods', subresource: 'exec', kind: 'PodExecOptions', ...stream },
  { group: '', resource: 'pods', subresource: 'log', ...log },
  { group: '', resource: 'pods', subresource: 'portforward', kind: 'PodPortForwardOptions', ...stream },
  { group: '', resource: 'pods', subresource: 'proxy', kind: 'PodProxyOptions', ...proxy },
  { group: '', resource: 'services', subresource: 'proxy', kind: 'ServiceProxyOptions', ...proxy },
];
