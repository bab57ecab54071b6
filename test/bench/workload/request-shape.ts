/** Names a kind of request, `PUT replicasets/status`, and the resource that it concerns. */
export interface RequestShape {
  readonly name: string;
  readonly resource: string;
}

/** The shape of a request for objects of a namespace; undefined for any other path. */
export function requestShape(method: string, path: string): RequestShape | undefined {
  const [, resource, name, subresource] = /\/namespaces\/[^/]+\/([^/?]+)(\/[^/?]+)?(\/[^/?]+)?/.exec(path) ?? [];
  if (resource === undefined) return undefined;
  return { name: `${method} ${resource}${subresource ?? (name === undefined ? '' : '/name')}`, resource };
}
