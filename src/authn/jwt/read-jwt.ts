import { decodeJson } from '../../codec/decode-json.ts';
import { JsonDecodeError } from '../../codec/decode-error.ts';
import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { stringAt } from '../../meta/read-field.ts';

/** A signed JSON Web Token in compact form (RFC 7519) whose signature is not verified. */
export interface Jwt {
  readonly compact: string;
  readonly algorithm: string;
  /** '' if the header names no key. */
  readonly keyId: string;
  readonly claims: JsonObject;
}

/** Longer tokens are not read. Tokens of service accounts have about 1 KiB. */
const tokenLimit = 16 * 1024;
const headerLimit = 4 * 1024;

/**
 * The parameters of a header that is read. All others would change the meaning of the token or name
 * keys of the sender's choice (`crit`, `b64`, `zip`, `jwk`, `jku`, `x5c`); no issuer needs them.
 */
const knownParameters: ReadonlySet<string> = new Set(['alg', 'kid', 'typ', 'cty', 'x5t', 'x5t#S256']);

/**
 * Reads a token. Undefined if it is none: other than three parts of canonical base64url, JSON with
 * duplicate names or invalid UTF-8, an encrypted token, or a header with other parameters than
 * `alg`, `kid`, `typ` and thumbprints.
 */
export function readJwt(compact: string): Jwt | undefined {
  if (compact.length > tokenLimit) return undefined;
  const [first = '', second = '', third = '', ...more] = compact.split('.');
  if (more.length > 0 || first.length > headerLimit || !decodeBase64Url(third)) return undefined;
  const header = readPart(first);
  if (!header || !Object.keys(header).every((name) => knownParameters.has(name))) return undefined;
  const claims = readPart(second);
  const keyId = header['kid'] ?? '';
  if (!claims || typeof keyId !== 'string') return undefined;
  return { compact, algorithm: stringAt(header, 'alg'), keyId, claims };
}

function readPart(text: string): JsonObject | undefined {
  const bytes = decodeBase64Url(text);
  if (!bytes) return undefined;
  try {
    const { value, duplicateFields } = decodeJson(bytes, { duplicates: true });
    return isJsonObject(value) && duplicateFields.length === 0 ? value : undefined;
  } catch (error) {
    if (error instanceof JsonDecodeError) return undefined;
    throw error;
  }
}

/**
 * The decoded bytes; undefined for an empty text and for a non-canonical encoding (RFC 4648 3.5):
 * two spellings of one token would be two tokens for caches and logs.
 */
function decodeBase64Url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return text !== '' && bytes.toString('base64url') === text ? bytes : undefined;
}
