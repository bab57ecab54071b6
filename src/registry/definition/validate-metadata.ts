import type { Identifiers } from '../../identifiers/identifiers.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { parseApiVersion } from '../../meta/group-version-kind.ts';
import {
  finalizersOf,
  generationOf,
  getMeta,
  type MetadataField,
  metadataOf,
  metaText,
  nameOf,
  namespaceOf,
} from '../../meta/object-meta.ts';
import {
  validateDnsLabel,
  validateDnsSubdomain,
  validateLabelValue,
  validateNameBase,
  validateQualifiedName,
  validateWholePathSegment,
} from '../../meta/validate-name.ts';
import { allErrors, errorsOfEach, noErrors } from '../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, required, tooLong } from '../../status/field-error.ts';
import { cutText } from '../../status/shown-value.ts';
import type { StoredResource } from './stored-resource.ts';
import { badRequest, type StatusError } from '../../status/status-error.ts';

/** Limit for the keys and values of all annotations together, in bytes; part of the API. */
const annotationsLimitBytes = 262_144;

/** A standard finalizer: the garbage collector orphans the dependents. */
export const orphanFinalizer = 'orphan';
/** A standard finalizer: the garbage collector deletes the dependents first. */
export const foregroundFinalizer = 'foregroundDeletion';

/** Finalizers that need no domain. */
export function standardFinalizersOf({ product }: Identifiers): readonly string[] {
  return [orphanFinalizer, foregroundFinalizer, product];
}

/** Returns all errors in the metadata of a new object. */
export function validateNewMetadata(resource: StoredResource, object: JsonObject): readonly FieldError[] {
  const { validateNewName } = resource.strategy;
  return validateMetadata(resource, object, (name) => validateNewName?.(name, object) ?? []);
}

/**
 * Returns all errors in the metadata of an object. `ownRule` gives more messages about its name.
 */
export function validateMetadata(
  resource: StoredResource,
  object: JsonObject,
  ownRule: (name: string) => readonly string[] = () => [],
): readonly FieldError[] {
  const { standardFinalizers } = resource;
  return allErrors(
    validateNames(resource, object, ownRule),
    allErrors(validateNamespace(resource, object), validateGeneration(object)),
    validateMaps(object),
    validateFinalizerForms(object),
    standardFinalizers ? validateFinalizerOrigins(object, standardFinalizers) : noErrors,
  );
}

/** Returns all errors in the metadata of a whole object inside another one; its kind is unknown. */
export function validateEmbeddedMetadata(object: JsonObject): readonly FieldError[] {
  const [name, namespace] = [nameOf(object), namespaceOf(object)];
  return allErrors(
    name === '' ? noErrors : messageErrors('metadata.name', name, validateWholePathSegment(name)),
    namespace === '' ? noErrors : messageErrors('metadata.namespace', namespace, validateDnsLabel(namespace)),
    validateGeneration(object),
    validateMaps(object),
    validateFinalizerForms(object),
  );
}

/**
 * Returns all errors in the metadata of an update: the errors of a create and the errors of changed
 * immutable fields.
 */
export function validateMetadataUpdate(
  resource: StoredResource,
  object: JsonObject,
  old: JsonObject,
): readonly FieldError[] {
  return allErrors(
    validateMetadata(resource, object).filter(({ field }) => !isKeptName(field, object, old)),
    validateNewFinalizers(object, old),
    validateImmutableFields(object, old),
  );
}

/**
 * Reports whether a name is unchanged: it is not checked again, because rules may have become
 * stricter.
 */
function isKeptName(path: string, object: JsonObject, old: JsonObject): boolean {
  const names = ['name', 'generateName'] as const;
  return names.some((field) => path === `metadata.${field}` && getMeta(object, field) === getMeta(old, field));
}

const immutableFields = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const satisfies readonly MetadataField[];

function validateImmutableFields(object: JsonObject, old: JsonObject): readonly FieldError[] {
  return errorsOfEach(immutableFields, (field) =>
    getMeta(object, field) === getMeta(old, field) ? noErrors : [changed(field, getMeta(object, field) ?? null)],
  );
}

function changed(field: MetadataField, value: JsonValue): FieldError {
  return invalid(`metadata.${field}`, value, 'field is immutable');
}

function validateNames(
  { strategy }: StoredResource,
  object: JsonObject,
  ownRule: (name: string) => readonly string[],
): readonly FieldError[] {
  const { validateName = validateSubdomain } = strategy;
  const rule = (text: string, prefix: boolean) => [...validateName(text, prefix), ...ownRule(text)];
  const base = metaText(object, 'generateName');
  const name = nameOf(object);
  return allErrors(
    base === '' || strategy.checksNameBase === false
      ? noErrors
      : messageErrors('metadata.generateName', base, rule(base, true)),
    name === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : messageErrors('metadata.name', name, rule(name, false)),
  );
}

function validateSubdomain(name: string, prefix: boolean): readonly string[] {
  return prefix ? validateNameBase(validateDnsSubdomain, name) : validateDnsSubdomain(name);
}

/** Turns the messages of a rule into errors of the field. */
function messageErrors(field: string, text: string, messages: readonly string[]): readonly FieldError[] {
  return messages.length === 0 ? noErrors : messages.map((message) => invalid(field, text, message));
}

function validateNamespace({ info }: StoredResource, object: JsonObject): readonly FieldError[] {
  const namespace = namespaceOf(object);
  if (!info.namespaced) {
    return namespace === '' ? noErrors : [forbidden('metadata.namespace', 'not allowed on this type')];
  }
  if (namespace === '') return [required('metadata.namespace')];
  return messageErrors('metadata.namespace', namespace, validateDnsLabel(namespace));
}

function validateGeneration(object: JsonObject): readonly FieldError[] {
  const generation = generationOf(object);
  return generation < 0 ? [invalid('metadata.generation', generation, 'must be greater than or equal to 0')] : noErrors;
}

function validateMaps(object: JsonObject): readonly FieldError[] {
  return allErrors(validateLabels(object), validateAnnotations(object), validateOwners(object));
}

/** The errors of the labels of an object. */
export function validateLabels(object: JsonObject): readonly FieldError[] {
  const labels = getMeta(object, 'labels');
  if (!isJsonObject(labels)) return noErrors;
  return errorsOfEach(Object.keys(labels), (key) => {
    const value = labels[key];
    return allErrors(
      messageErrors('metadata.labels', key, validateQualifiedName(key)),
      typeof value === 'string' ? messageErrors('metadata.labels', value, validateLabelValue(value)) : noErrors,
    );
  });
}

/** The errors of the annotations of an object; `field` names them. */
export function validateAnnotations(object: JsonObject, field = 'metadata.annotations'): readonly FieldError[] {
  const annotations = getMeta(object, 'annotations');
  if (!isJsonObject(annotations)) return noErrors;
  let size = 0;
  const errors = errorsOfEach(Object.keys(annotations), (key) => {
    const value = annotations[key];
    size += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
    return messageErrors(field, key, validateQualifiedName(key.toLowerCase()));
  });
  const long = size > annotationsLimitBytes;
  return allErrors(errors, long ? [tooLong(field, annotationsLimitBytes)] : noErrors);
}

const ownerField = 'metadata.ownerReferences';

function validateOwners(object: JsonObject): readonly FieldError[] {
  const metadata = metadataOf(object);
  const references = metadata && getOwn(metadata, 'ownerReferences');
  if (!Array.isArray(references)) return noErrors;
  const owners = references.filter(isJsonObject);
  return allErrors(errorsOfEach(owners, validateOwner), validateControllers(owners));
}

const ownerParts = [
  ['apiVersion', 'version'],
  ['kind', 'kind'],
  ['name', 'name'],
  ['uid', 'uid'],
] as const;

function validateOwner(owner: JsonObject): readonly FieldError[] {
  // Events expire, and with an owner the garbage collector would delete its dependents.
  const banned = owner['kind'] === 'Event' && isCoreV1(owner['apiVersion']);
  const errors: FieldError[] = [];
  for (const [part, word] of ownerParts) {
    const value = owner[part] ?? '';
    if (value === '' || (part === 'apiVersion' && versionIn(value) === '')) {
      errors.push(invalid(`${ownerField}.${part}`, value, `${word} must not be empty`));
    }
  }
  if (banned) {
    errors.push(invalid(ownerField, owner, '/v1, Kind=Event is disallowed from being an owner'));
  }
  return errors;
}

function isCoreV1(apiVersion: JsonValue | undefined): boolean {
  return apiVersion === 'v1' || apiVersion === '/v1';
}

/** The version in an apiVersion; '' if there is none or the text is malformed. */
function versionIn(apiVersion: JsonValue): string {
  return (typeof apiVersion === 'string' && parseApiVersion(apiVersion)?.version) || '';
}

/**
 * At most one owner is the controller. Owners without a name are not counted; they are refused
 * anyway.
 */
function validateControllers(owners: readonly JsonObject[]): readonly FieldError[] {
  const controllers = owners.filter((owner) => owner['controller'] === true);
  const first = controllers.findIndex((owner) => nameIn(owner['name']) !== '');
  const found = 'Only one reference can have Controller set to true. Found "true" in references for';
  return errorsOfEach(first < 0 ? [] : controllers.slice(first + 1), (other) => [
    invalid(ownerField, owners, `${found} ${nameIn(controllers[first]?.['name'])} and ${nameIn(other['name'])}`),
  ]);
}

function nameIn(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Validates the form of each finalizer; the two of the garbage collector exclude each other. */
function validateFinalizerForms(object: JsonObject): readonly FieldError[] {
  const finalizers = finalizersOf(object);
  if (finalizers.length === 0) return noErrors;
  const clash = finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer);
  const both = `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`;
  return allErrors(
    errorsOfEach(finalizers, (finalizer) => finalizerForm('metadata.finalizers', finalizer)),
    clash ? [invalid('metadata.finalizers', finalizers, both)] : noErrors,
  );
}

/** Refuses finalizers without a domain that are not standard. */
export function validateFinalizerOrigins(object: JsonObject, standard: readonly string[]): readonly FieldError[] {
  return errorsOfEach(finalizersOf(object), (finalizer, index) =>
    finalizerOrigin(`metadata.finalizers[${index}]`, finalizer, standard),
  );
}

function finalizerForm(field: string, finalizer: string): readonly FieldError[] {
  return messageErrors(field, finalizer, validateQualifiedName(finalizer));
}

function finalizerOrigin(field: string, finalizer: string, standard: readonly string[]): readonly FieldError[] {
  if (finalizer.includes('/') || standard.includes(finalizer)) return noErrors;
  return [invalid(field, finalizer, 'name is neither a standard finalizer name nor is it fully qualified')];
}

/**
 * Validates a finalizer outside the metadata (such as `spec.finalizers`): its form and its
 * domain.
 */
export function validateFinalizer(field: string, finalizer: string, identifiers: Identifiers): readonly FieldError[] {
  return [...finalizerForm(field, finalizer), ...finalizerOrigin(field, finalizer, standardFinalizersOf(identifiers))];
}

/** An object being deleted can only lose finalizers, else its deletion would never end. */
function validateNewFinalizers(object: JsonObject, old: JsonObject): readonly FieldError[] {
  if (metaText(old, 'deletionTimestamp') === '') return noErrors;
  const before = new Set(finalizersOf(old));
  const added = finalizersOf(object).filter((finalizer) => !before.has(finalizer));
  if (added.length === 0) return noErrors;
  // A known sentence, with a list in the syntax of Go.
  const list = cutText(added.map((finalizer) => JSON.stringify(finalizer)).join(', '));
  const why = 'no new finalizers can be added if the object is being deleted, found new finalizers';
  return [forbidden('metadata.finalizers', `${why} []string{${list}}`)];
}

/** Returns the 400 for an object without a name in a request whose URL has one. */
export function undeterminableName(name: string): StatusError {
  return badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
}
