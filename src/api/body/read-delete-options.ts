import { DecodeError } from '../../codec/decode-error.ts';
import { parseApiVersion } from '../../meta/group-version-kind.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import type { Catalogue } from '../../registry/definition/catalogue.ts';
import { badRequest } from '../../status/status-error.ts';
import type { ResourceCall } from '../request/resource-call.ts';
import { bodyCodec } from './body-codec.ts';
import { readBody } from '../../http-protocol/requests/read-body.ts';

const kind = 'DeleteOptions';

type DeleteCall = Pick<ResourceCall, 'exchange' | 'bodyLimitBytes'>;

/**
 * Reads the optional body of a delete of one object, in any version; undefined if there is none.
 * Throws 400, 413, 415, 429.
 */
export function readDeleteOptions(call: DeleteCall): Promise<JsonObject | undefined> {
  return readOptions(call, () => true);
}

/**
 * Reads the body of a delete of a collection as `readDeleteOptions` does, but options of a version
 * that is not served are a 400.
 */
export function readCollectionDeleteOptions(
  call: DeleteCall & Pick<ResourceCall, 'catalogue'>,
): Promise<JsonObject | undefined> {
  return readOptions(call, (group, version) => isServed(call.catalogue, group, version));
}

type IsTaken = (group: string, version: string) => boolean;

async function readOptions(
  { exchange, bodyLimitBytes }: DeleteCall,
  isTaken: IsTaken,
): Promise<JsonObject | undefined> {
  const bytes = await readBody(exchange, bodyLimitBytes);
  if (bytes.length === 0) return undefined;
  const codec = bodyCodec(exchange);
  try {
    const { value } = await codec.decodeObject(bytes, {
      duplicates: false,
      kind: { group: '', version: 'v1', kind },
      client: exchange.user.username,
    });
    // A Go decoder reads null as empty options.
    if (value === null) return {};
    if (!isJsonObject(value)) throw new DecodeError('the document is not an object');
    checkKind(value, isTaken);
    exchange.audit?.requestObject(() => ({ kind, apiVersion: 'v1', ...value }));
    return value;
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(`error decoding ${kind}: ${error.message}`);
    throw error;
  }
}

/** Checks kind and apiVersion; both are optional. */
function checkKind(options: JsonObject, isTaken: IsTaken): void {
  const sentKind = options['kind'] ?? '';
  if (sentKind !== '' && sentKind !== kind) {
    throw badRequest(`the body of a delete must be of kind ${kind}, not ${shown(sentKind)}`);
  }
  const apiVersion = options['apiVersion'] ?? '';
  if (apiVersion === '') return;
  if (typeof apiVersion !== 'string') throw new DecodeError('field apiVersion must be a string');
  const parsed = parseApiVersion(apiVersion);
  if (!parsed) throw new DecodeError(`unexpected GroupVersion string: ${shown(apiVersion)}`);
  if (!isTaken(parsed.group, parsed.version)) {
    throw new DecodeError(`no kind "${kind}" is registered for version ${shown(apiVersion)}`);
  }
}

function shown(value: JsonValue): string {
  return JSON.stringify(typeof value === 'string' ? value.slice(0, 64) : typeof value);
}

function isServed(catalogue: Catalogue, group: string, version: string): boolean {
  return catalogue.groups.some((row) => row.group === group && row.versions.includes(version));
}
