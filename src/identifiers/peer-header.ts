/** The header of requests that a peer has forwarded; they are not forwarded again. */
export const passedHeader = 'X-Kubernetes-Peer-Proxied';

/** The name of the header in lower case, as Node has it. */
export const passedHeaderKey = 'x-kubernetes-peer-proxied';
