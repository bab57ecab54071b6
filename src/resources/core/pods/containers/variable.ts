import type { Container, EnvVar, EnvVarSource } from '../../../../gen/stored/core-v1.ts';
import { nothingWrong, validateDnsSubdomain } from '../../../../meta/validate-name.ts';
import type { FieldCursor } from '../../../../status/field-cursor.ts';
import {
  checkFieldReference,
  checkKeyReference,
  checkResourceReference,
  variableFields,
} from '../volumes/reference.ts';

/**
 * Checks the environment variables of a container. A source of several that refers to nothing is
 * reported at the list.
 */
export function checkVariables(container: FieldCursor<Container>): void {
  for (const variable of container.each('env')) checkVariable(variable);
  const list = container.at('envFrom');
  for (const source of container.each('envFrom')) {
    source.at('prefix').mustBe(variableNameMessages);
    const given = (['configMapRef', 'secretRef'] as const).filter((name) => source.value[name]);
    for (const reference of given) {
      const name = source.at(reference).at('name');
      name.mustBeSet();
      name.mustBe(validateDnsSubdomain);
    }
    if (given.length === 0) list.reportInvalid('must specify one of: `configMapRef` or `secretRef`', '');
    if (given.length > 1) list.reportInvalid('may not have more than one field specified at a time', '');
  }
}

function checkVariable(variable: FieldCursor<EnvVar>): void {
  variable.at('name').mustBe(variableNameMessages);
  const from = variable.at('valueFrom');
  if (!from.isPresent()) return;
  const count = checkSources(from);
  if (count === 0) from.reportInvalid(noSource, '');
  else if (variable.value.value) from.reportInvalid('may not be specified when `value` is not empty', '');
  else if (count > 1) from.reportInvalid('may not have more than one field specified at a time', '');
}

const noSource = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';

/** Checks the sources of a value. Returns their number. */
function checkSources(from: FieldCursor<EnvVarSource>): number {
  const [field, resource] = [from.at('fieldRef'), from.at('resourceFieldRef')];
  const [configMap, secret] = [from.at('configMapKeyRef'), from.at('secretKeyRef')];
  if (field.isPresent()) checkFieldReference(field, variableFields);
  if (resource.isPresent()) checkResourceReference(resource, false);
  for (const key of [configMap, secret]) if (key.isPresent()) checkKeyReference(key);
  return [field, resource, configMap, secret].filter(({ value }) => value).length;
}

const variableName = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const variablePattern = new RegExp(`^${variableName}$`);

function variableNameMessages(name: string): readonly string[] {
  if (!variablePattern.test(name)) {
    return [
      "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must " +
        "not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', " +
        `regex used for validation is '${variableName}')`,
    ];
  }
  if (name === '.') return ["must not be '.'"];
  if (name === '..') return ["must not be '..'"];
  return name.startsWith('..') ? ["must not start with '..'"] : nothingWrong;
}
