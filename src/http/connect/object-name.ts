import { badRequest } from '../../status/status-error.ts';

/** The schemes that may precede the name of an object; '' is valid. */
const schemes: ReadonlySet<string> = new Set(['', 'http', 'https']);

/**
 * Returns the name of the object from `name`, `name:port`, or `scheme:name:port`; the port may be
 * empty. Throws 400 for another form. `kind` is the singular name of the resource.
 */
export function objectNameIn(text: string, kind: string): string {
  const parts = text.split(':');
  const [scheme, name] = parts.length === 3 ? [parts[0] ?? '', parts[1] ?? ''] : ['', parts[0] ?? ''];
  if (parts.length > 3 || name === '' || !schemes.has(scheme)) {
    throw badRequest(`invalid ${kind} request ${JSON.stringify(text)}`);
  }
  return name;
}
