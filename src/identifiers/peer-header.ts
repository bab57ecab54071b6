/** The header of a request that a peer has passed on: it is not passed on again. */
export const passedHeader = 'X-Kubernetes-Peer-Proxied';

/** The header in lower case, as Node has it. */
export const passedHeaderKey = 'x-kubernetes-peer-proxied';
