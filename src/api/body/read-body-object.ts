import type { KindInVersion } from '../../codec/codec.ts';
import { DecodeError } from '../../codec/decode-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import type { Catalogue } from '../../registry/definition/catalogue.ts';
import { goTypeError, jsonTypeName } from '../../meta/go-value.ts';
import { parseApiVersion } from '../../meta/group-version-kind.ts';
import { nameOf } from '../../meta/object-meta.ts';
import { invalid } from '../../status/field-error.ts';
import { jsonText } from '../../status/shown-value.ts';
import { badRequest, invalidObject, type StatusError } from '../../status/status-error.ts';
import { apiVersionOf, kindOf, type ResourceCall } from '../request/resource-call.ts';
import { bodyCodec } from './body-codec.ts';
import { readBody } from '../../http-protocol/requests/read-body.ts';

/** An object as it was sent, with missing kind and apiVersion filled in from the URL. */
interface SentObject {
  readonly object: JsonObject;
  /** Paths of duplicate keys; empty if they were not requested. */
  readonly duplicateFields: readonly string[];
}

type ObjectCall = Pick<ResourceCall, 'exchange' | 'served' | 'subresource' | 'catalogue' | 'bodyLimitBytes'>;

/**
 * Reads the body of a create or update and checks that it has the kind of the URL. Throws 400, 413,
 * 415, 429. The registry checks fields and their types.
 */
export async function readObject(call: ObjectCall, duplicates: boolean): Promise<SentObject> {
  const codec = bodyCodec(call.exchange);
  const expected = kindOf(call);
  const bytes = await readBody(call.exchange, call.bodyLimitBytes);
  call.exchange.step('limitedReadBody succeeded');
  try {
    const { value, duplicateFields } = await codec.decodeObject(bytes, {
      duplicates,
      kind: expected,
      client: call.exchange.user.username,
    });
    const object = objectIn(value);
    if (codec.knows?.(expected) === false) throw new DecodeError(notMarshalable);
    const apiVersion = textField(object, 'apiVersion');
    if (!parseApiVersion(apiVersion)) {
      throw unrecognized(expected, `unexpected GroupVersion string: ${apiVersion}`, bytes);
    }
    if (isCustom(call)) checkCustomKind(object, expected);
    return { object: checkKind(object, expected, call), duplicateFields };
  } catch (error) {
    if (error instanceof DecodeError) throw unrecognized(expected, codec.unreadable(error.message), bytes);
    throw error;
  }
}

/** The problem of a kind that a format cannot express, in the words of kube-apiserver. */
const notMarshalable =
  'object *unstructured.Unstructured does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message';

/** Returns the 400 for a body that cannot be parsed as an object. */
function unrecognized({ kind }: KindInVersion, why: string, bytes: Buffer): StatusError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${summary(bytes)})`);
}

/** The number of bytes of a refused body in the message. */
const summaryLimit = 30;

function summary(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const more = bytes.length > summaryLimit ? ' ...' : '';
  const head = bytes.subarray(0, summaryLimit);
  return (head[0] === openBrace ? head.toString('utf8') : head.toString('hex')) + more;
}

const openBrace = 0x7b;

function objectIn(value: JsonValue): JsonObject {
  if (isJsonObject(value)) return value;
  throw new DecodeError(`cannot unmarshal ${jsonTypeName(value)} into an object`);
}

function isCustom({ served, subresource }: ObjectCall): boolean {
  return served.version.schema().structural !== undefined && subresource?.kind === undefined;
}

/** An object of a custom kind must name its kind. */
function checkCustomKind(object: JsonObject, { group, version, kind }: KindInVersion): void {
  const sent = textField(object, 'kind');
  if (sent === '') {
    const text = jsonText(object, shownObjectLimit);
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: Object 'Kind' is missing in '${text}'`,
    );
  }
  if (sent === kind) return;
  throw invalidObject({ group, resource: sent }, nameOf(object), [invalid('kind', sent, `must be ${kind}`)]);
}

/** The number of characters of an object without kind in the message. */
const shownObjectLimit = 1_000;

function checkKind(
  value: JsonObject,
  expected: KindInVersion,
  { catalogue, subresource }: Pick<ResourceCall, 'catalogue' | 'subresource'>,
): JsonObject {
  const kind = textField(value, 'kind') || expected.kind;
  const apiVersion = textField(value, 'apiVersion') || apiVersionOf(expected);
  const versions = subresource?.kind?.versions ?? [expected];
  const accepted = versions.map(({ version }) => apiVersionOf({ ...expected, version }));
  if (kind !== expected.kind || !accepted.includes(apiVersion)) {
    throw otherKind({ kind, apiVersion }, expected, catalogue);
  }
  value['kind'] = kind;
  value['apiVersion'] = apiVersion;
  return value;
}

function textField(object: JsonObject, name: string): string {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw new DecodeError(goTypeError(name, value));
}

/**
 * Returns the 400 for a body of another kind or version. The messages for an unknown kind, a known
 * kind and another version differ.
 */
function otherKind(
  sent: { readonly kind: string; readonly apiVersion: string },
  expected: KindInVersion,
  catalogue: Catalogue,
): StatusError {
  const { group, version } = parseApiVersion(sent.apiVersion) ?? { group: '', version: sent.apiVersion };
  const known = catalogue.findKind(group, version, sent.kind);
  const wanted = catalogue.findKind(expected.group, expected.version, expected.kind);
  const refused = `${sent.kind} in version ${JSON.stringify(version)} cannot be handled as a ${expected.kind}`;
  if (!known) {
    return badRequest(
      `${refused}: no kind ${JSON.stringify(sent.kind)} is registered for version "${sent.apiVersion}"`,
    );
  }
  if (sent.kind === expected.kind && known.info.storage?.schema() === wanted?.info.storage?.schema()) {
    const both = `(${sent.apiVersion}) does not match the expected API version (${apiVersionOf(expected)})`;
    return badRequest(`the API version in the data ${both}`);
  }
  const internal = `${packageName(wanted?.info.shortGroup ?? '')}.${expected.kind}`;
  return badRequest(`${refused}: converting (${version}.${sent.kind}) to (${internal}): unknown conversion`);
}

/** Returns the name of a group in messages: `core`, `rbac`. */
function packageName(shortGroup: string): string {
  return shortGroup.split('.', 1)[0] || 'core';
}
