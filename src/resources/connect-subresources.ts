import type { ConnectDefinition } from '../registry/connect-definition.ts';

type Traits = Pick<ConnectDefinition, 'methods' | 'hasPath' | 'hasPort'>;

/** A stream to and from a container. */
const stream: Traits = { methods: ['GET', 'POST'], hasPath: false, hasPort: false };

/** The output of a container. */
const log: Traits = { methods: ['GET'], hasPath: false, hasPort: false };

/** A server behind an object, which has paths and methods of its own. */
const proxy: Traits = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  hasPath: true,
  hasPort: true,
};

/** The sub-resources that are no objects, as kube-apiserver has them. */
export const connectSubresources: readonly ConnectDefinition[] = [
  { group: '', resource: 'nodes', subresource: 'proxy', ...proxy },
  { group: '', resource: 'pods', subresource: 'attach', ...stream },
  { group: '', resource: 'pods', subresource: 'exec', ...stream },
  { group: '', resource: 'pods', subresource: 'log', ...log },
  { group: '', resource: 'pods', subresource: 'portforward', ...stream },
  { group: '', resource: 'pods', subresource: 'proxy', ...proxy },
  { group: '', resource: 'services', subresource: 'proxy', ...proxy },
];
