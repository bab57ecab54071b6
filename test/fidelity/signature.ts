import type { Difference } from './compare.ts';
import type { Exchange } from './known/known-difference.ts';

/** What differences of one cause have in common: operation and place, or both statuses and what the error says. */
export function signatureOf(difference: Difference, exchange: Exchange): string {
  const { path, reference, ours } = difference;
  const operation = operationOf(exchange);
  if (path.length === 1 && path[0] === 'status') {
    const refused = exchange.ours.status >= 400 ? exchange.ours : exchange.reference;
    return `${operation} status ${JSON.stringify(reference)}->${JSON.stringify(ours)} ${messageShape(refused.body)}`;
  }
  const side = reference === undefined ? ' only ours' : ours === undefined ? ' only reference' : '';
  const place = exchange.step.object === undefined ? placeOf(path) : placeInRandomKind(path);
  return `${operation} ${place}${side}`;
}

/** Names of random fields are letters that tell the schema, and numbers; only the innermost two are kept. */
function placeInRandomKind(path: Difference['path']): string {
  const names = placeOf(path)
    .replaceAll(/\b([a-z])\d\b/g, '$1')
    .split('.');
  const outer = names.slice(0, path.includes('managedFields') ? 4 : 2);
  return [...outer, ...names.slice(outer.length).slice(-2)].join('.');
}

function operationOf({ step }: Exchange): string {
  const kind = step.type?.replace(/^application\/|\+.*$/g, '') ?? step.method;
  const subresource = /\/(status|scale|approval)$/.exec(step.path)?.[0] ?? '';
  return kind + subresource;
}

function placeOf(path: Difference['path']): string {
  return path
    .map((key) =>
      typeof key === 'number' ? '[]' : key.replaceAll(/\[\d+\]/g, '[]').replaceAll(/\[[\w./-]+\]/g, '[k]'),
    )
    .map((key) => (key.startsWith('[["') ? '{manager}' : /^[kv]:/.test(key) ? key.slice(0, 2) : key.slice(0, 90)))
    .join('.');
}

/** The message of an error without what it quotes and counts. */
function messageShape(body: unknown): string {
  const message = typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : '';
  const shape = message.replaceAll(/"[^"]*"/g, '""').replaceAll(/\d+/g, '0');
  return shape.replaceAll(/\[[\w./-]*\]/g, '[]').slice(0, 100);
}
