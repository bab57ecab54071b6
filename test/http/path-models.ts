/** What is authorized: the parts of a resource path, or another path. */
export type Attributes = Readonly<Record<string, string>>;

/**
 * Reads the target of a request as a server in Go does: the path is decoded as a whole
 * (`url.Parse`), and dot segments and repeated slashes are resolved (the `ServeMux` of net/http).
 */
export function readAsGo(target: string): Attributes {
  const { path, query } = splitTarget(target);
  const decoded = decodeURIComponent(path);
  const segments: string[] = [];
  for (const segment of decoded.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return attributesOf(segments, decoded.endsWith('/'), query);
}

/** Reads it as a server on Node does: the URL is parsed by the rules of browsers, and segments are decoded. */
export function readAsNode(target: string): Attributes {
  const { pathname, search } = new URL(target, 'http://backend.example');
  const segments = pathname.split('/').slice(1);
  if (segments.at(-1) === '') segments.pop();
  return attributesOf(segments.map(decodeURIComponent), pathname.endsWith('/'), search.slice(1));
}

function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** The attributes of a GET, as the documentation of the API describes its paths. */
function attributesOf(segments: readonly string[], endsInSlash: boolean, query: string): Attributes {
  const [root, ...after] = segments;
  const [group, version, ...rest] = root === 'api' ? ['', ...after] : after;
  if ((root !== 'api' && root !== 'apis') || rest.length === 0) {
    return { path: `/${segments.join('/')}${endsInSlash && segments.length > 0 ? '/' : ''}`, verb: 'get' };
  }
  const special = rest[0] === 'watch' || rest[0] === 'proxy' ? rest[0] : '';
  const parts = special ? rest.slice(1) : rest;
  const inNamespace = parts[0] === 'namespaces' && parts.length > 1;
  const isNested = inNamespace && parts.length > 2 && parts[2] !== 'status' && parts[2] !== 'finalize';
  const [resource = '', name = '', subresource = ''] = isNested ? parts.slice(2) : parts;
  const watch = new URLSearchParams(query).get('watch');
  const isWatch = watch !== null && watch !== '0' && watch !== 'false';
  return withoutEmpty({
    verb: special || (name === '' ? (isWatch ? 'watch' : 'list') : 'get'),
    group: group ?? '',
    version: version ?? '',
    namespace: inNamespace ? (parts[1] ?? '') : '',
    resource,
    subresource: special === 'proxy' ? '' : subresource,
    name,
  });
}

function withoutEmpty(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''));
}
