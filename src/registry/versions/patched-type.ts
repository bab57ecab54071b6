import { goTypeError } from '../../meta/go-type-error.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { parseApiVersion } from '../../meta/group-version-kind.ts';
import { nameOf } from '../../meta/object-meta.ts';
import { invalid } from '../../status/field-error.ts';
import { jsonText, shownValueLimit } from '../../status/shown-value.ts';
import { invalidObject, type StatusError } from '../../status/status-error.ts';
import { undeterminableName } from '../definition/validate-metadata.ts';
import type { ServedVersion, StoredResource } from '../definition/stored-resource.ts';

/** A patched document, and the context of its refusals. */
interface PatchedDocument {
  readonly resource: StoredResource;
  readonly document: JsonObject;
  /** The name in the URL. */
  readonly name: string;
  /** Builds the 422 for the patch. */
  readonly refuse: (why: string) => StatusError;
}

/** A patched document with its kind, and the version in which it is written. */
interface TypedDocument {
  readonly document: JsonObject;
  readonly version: ServedVersion;
}

/**
 * Checks that a patch keeps the kind of the object, and returns the document with it: a patch of a
 * built-in kind may remove it, because the URL names it, and may name another version of the kind,
 * in which the document is then read. Throws the refusals of kube-apiserver: 400
 * without an apiVersion, because kube-apiserver finds no name in an object without a version, and
 * 422 otherwise.
 */
export function keepType(version: ServedVersion, patched: PatchedDocument): TypedDocument {
  const { resource, document, name, refuse } = patched;
  const kind = typeText(document, 'kind', refuse);
  const apiVersion = typeText(document, 'apiVersion', refuse);
  if (apiVersion !== '' && !parseApiVersion(apiVersion)) {
    throw refuse(`unexpected GroupVersion string: ${apiVersion}`);
  }
  if (version.schema.structural) checkCustomType(version, patched, { kind, apiVersion });
  if ((kind === '' || kind === version.kind) && apiVersion === '') throw undeterminableName(name);
  const named = kind === '' ? { ...document, kind: version.kind } : document;
  if (named['kind'] === version.kind) {
    if (apiVersion === version.apiVersion) return { document: named, version };
    const other = servedVersionOf(resource, version.kind, apiVersion);
    if (other) return { document: named, version: other };
  }
  throw refuse(`kind and apiVersion must stay ${version.kind} and ${version.apiVersion}`);
}

/** Finds a version of a kind in all groups that serve its objects. */
function servedVersionOf(resource: StoredResource, kind: string, apiVersion: string): ServedVersion | undefined {
  const versions = resource.sharingStorage().flatMap((shared) => [...shared.versions.values()]);
  return versions.find((version) => version.kind === kind && version.apiVersion === apiVersion);
}

/** Returns `kind` or `apiVersion` of a document, '' if it is absent or null. */
function typeText(document: JsonObject, field: string, refuse: (why: string) => StatusError): string {
  const value = document[field] ?? '';
  if (typeof value === 'string') return value;
  throw refuse(`couldn't get version/kind; json parse error: ${goTypeError(field, value)}`);
}

/** An object of a custom kind names its kind and its version. */
function checkCustomType(
  { apiVersion, kind, version }: ServedVersion,
  { document, refuse }: PatchedDocument,
  sent: { readonly kind: string; readonly apiVersion: string },
): void {
  if (sent.kind === kind && sent.apiVersion === apiVersion) return;
  if (sent.kind === '') throw refuse(`Object 'Kind' is missing in '${jsonText(document, shownValueLimit)}'`);
  const [group = ''] = apiVersion.split('/');
  const errors = [
    ...(sent.kind === kind ? [] : [invalid('kind', sent.kind, `must be ${kind}`)]),
    ...(sent.apiVersion === apiVersion ? [] : [invalid('apiVersion', sent.apiVersion, `must be ${group}/${version}`)]),
  ];
  throw invalidObject({ group, resource: sent.kind }, nameOf(document), errors);
}
