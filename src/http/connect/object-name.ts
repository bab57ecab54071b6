import { badRequest } from '../../status/status-error.ts';

/** Schemes of what is behind an object. */
const schemes: ReadonlySet<string> = new Set(['', 'http', 'https']);

/**
 * The name of the object in `name`, `name:port`, or `scheme:name:port`, in which the port may be
 * empty. Throws 400 for another form. `kind` is the singular of the resource.
 */
export function objectNameIn(text: string, kind: string): string {
  const parts = text.split(':');
  const [scheme, name] = parts.length === 3 ? [parts[0] ?? '', parts[1] ?? ''] : ['', parts[0] ?? ''];
  if (parts.length > 3 || name === '' || !schemes.has(scheme)) {
    throw badRequest(`invalid ${kind} request ${JSON.stringify(text)}`);
  }
  return name;
}
