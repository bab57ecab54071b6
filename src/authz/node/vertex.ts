/** The kinds of objects and nodes in the graph of references. */
export type VertexKind =
  | 'node'
  | 'pod'
  | 'secret'
  | 'configmap'
  | 'claim'
  | 'volume'
  | 'attachment'
  | 'account'
  | 'certificaterequest'
  | 'resourceclaim'
  | 'resourceslice';

/** The name of an object or node in the graph. No name or namespace contains a slash. */
export function vertex(kind: VertexKind, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}
