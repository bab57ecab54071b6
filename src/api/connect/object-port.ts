import { badRequest } from '../../status/status-error.ts';

/** The schemes that may precede the name of an object; '' is valid. */
const schemes: ReadonlySet<string> = new Set(['', 'http', 'https']);

/** The name of an object in a URL, with the server behind it. */
interface ObjectPort {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/**
 * Parses `name`, `name:port`, or `scheme:name:port`; missing parts are '', and the port may be
 * empty. Throws 400 for another form. `kind` is the singular name of the resource.
 */
export function parseObjectPort(text: string, kind: string): ObjectPort {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !schemes.has(scheme)) {
    throw badRequest(`invalid ${kind} request ${JSON.stringify(text)}`);
  }
  return { scheme, name, port };
}
