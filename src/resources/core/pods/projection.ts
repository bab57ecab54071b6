import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { checkEach } from '../../rules/fields/check.ts';
import { checkTokenLifetime } from '../../rules/fields/token-lifetime.ts';
import { checkDownwardFile, checkKeyToPath } from './reference.ts';

/** Checks a projected volume: each source has one kind, and no two write the same file. */
export function checkProjection(source: JsonObject, path: string): readonly FieldError[] {
  const taken = new Set<string>();
  return checkEach(`${path}.sources`, objectsAt(source, 'sources'), (projection, at) =>
    allErrors(projectionErrors(projection, at, path), placeErrors(projection, path, taken)),
  );
}

type Rule = (source: JsonObject, path: string, volume: string) => readonly FieldError[];

const namedKeys: Rule = (source, path) =>
  allErrors(
    stringAt(source, 'name') === '' ? [required(`${path}.name`)] : noErrors,
    checkEach(`${path}.items`, objectsAt(source, 'items'), checkKeyToPath),
  );

/** The rules of each kind of source, in the order in which kube-apiserver checks them. */
const rules: Readonly<Record<string, Rule>> = {
  secret: namedKeys,
  configMap: namedKeys,
  downwardAPI: (source, path) => errorsOfEach(objectsAt(source, 'items'), (item) => checkDownwardFile(item, path)),
  serviceAccountToken: tokenErrors,
};
const kinds = Object.keys(rules);

function projectionErrors(projection: JsonObject, path: string, volume: string): readonly FieldError[] {
  const given = kinds.filter((name) => isSet(projection, name));
  return allErrors(
    given.flatMap((kind) => rules[kind]?.(objectAt(projection, kind), `${path}.${kind}`, volume) ?? noErrors),
    given.length > 1 ? [forbidden(path, 'may not specify more than 1 volume type')] : noErrors,
  );
}

/** The file of a token must be named. A missing name is reported at the volume. */
function tokenErrors(token: JsonObject, path: string, volume: string): readonly FieldError[] {
  return allErrors(
    isSet(token, 'expirationSeconds')
      ? checkTokenLifetime(`${path}.expirationSeconds`, numberAt(token, 'expirationSeconds') ?? 0)
      : noErrors,
    stringAt(token, 'path') === '' ? [required(`${volume}.path`)] : noErrors,
  );
}

/**
 * A conflict of paths is reported at the volume. It shows the name of the source, or the path if
 * the source has no name.
 */
function placeErrors(projection: JsonObject, field: string, taken: Set<string>): readonly FieldError[] {
  return kinds.flatMap((kind) => {
    const source = objectAt(projection, kind);
    const name = stringAt(source, 'name');
    return errorsOfEach(objectsAt(source, 'items'), (item) => {
      const file = stringAt(item, 'path');
      if (file === '') return noErrors;
      if (taken.has(file)) return [invalid(field, name || file, 'conflicting duplicate paths')];
      taken.add(file);
      return noErrors;
    });
  });
}
