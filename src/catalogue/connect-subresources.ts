import type { ConnectDefinition } from '../registry/definition/connect-definition.ts';
import { validateLogOptions } from '../resources/core/pods/container-location.ts';
import { schemaOf } from '../scheme/schema-of.ts';

type Traits = Pick<ConnectDefinition, 'methods' | 'hasPath' | 'hasPort' | 'reads' | 'validateOptions'>;

/** The traits of a stream to and from a container. */
const stream: Traits = { methods: ['GET', 'POST'], hasPath: false, hasPort: false };

/** The traits of the output of a container. */
const log: Traits = {
  methods: ['GET'],
  hasPath: false,
  hasPort: false,
  reads: true,
  validateOptions: validateLogOptions,
};

/** The traits of a proxy to a server, which has paths and methods of its own. */
const proxy: Traits = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  hasPath: true,
  hasPort: true,
};

/** The sub-resources that are connections and not objects, as in kube-apiserver. */
export const connectSubresources: readonly ConnectDefinition[] = [
  { group: '', resource: 'nodes', subresource: 'proxy', ...optionsOf('NodeProxyOptions'), ...proxy },
  { group: '', resource: 'pods', subresource: 'attach', ...optionsOf('PodAttachOptions'), ...stream },
  { group: '', resource: 'pods', subresource: 'exec', ...optionsOf('PodExecOptions'), ...stream },
  {
    group: '',
    resource: 'pods',
    subresource: 'log',
    options: (release) => schemaOf('api.core.v1.PodLogOptions', release),
    ...log,
  },
  { group: '', resource: 'pods', subresource: 'portforward', ...optionsOf('PodPortForwardOptions'), ...stream },
  { group: '', resource: 'pods', subresource: 'proxy', ...optionsOf('PodProxyOptions'), ...proxy },
  { group: '', resource: 'services', subresource: 'proxy', ...optionsOf('ServiceProxyOptions'), ...proxy },
];

function optionsOf(kind: string): Pick<ConnectDefinition, 'kind' | 'options'> {
  return { kind, options: (release) => schemaOf(`api.core.v1.${kind}`, release) };
}
