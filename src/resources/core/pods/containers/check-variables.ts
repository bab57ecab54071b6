import type { Container, EnvVar, EnvVarSource, FileKeySelector } from '../../../../gen/stored/core-v1.ts';
import {
  nothingWrong,
  validateDnsLabel,
  validateDnsSubdomain,
  validateVariableName,
} from '../../../../meta/validate-name.ts';
import { isSince } from '../../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../../scheme/emulated-release.ts';
import type { FieldCursor } from '../../../../status/field-cursor.ts';
import {
  checkFieldReference,
  checkKeyReference,
  checkNoBacksteps,
  checkResourceReference,
  variableFieldsIn,
} from '../volumes/reference.ts';

/**
 * Checks the environment variables of a container. An `envFrom` entry without a source is reported
 * at the list.
 */
export function checkVariables(
  container: FieldCursor<Pick<Container, 'env' | 'envFrom'>>,
  emulated: EmulatedRelease,
): void {
  const nameRule = nameRuleOf(emulated);
  for (const variable of container.each('env')) checkVariable(variable, nameRule, emulated);
  const list = container.at('envFrom');
  for (const source of container.each('envFrom')) {
    source.at('prefix').mustBe(nameRule);
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

/** Returns the rule for variable names; if relaxed it allows all printable ASCII except `=`. */
function nameRuleOf(emulated: EmulatedRelease): (name: string) => readonly string[] {
  const isRelaxed =
    isSince(emulated.release, '1.30') && emulated.isFeatureEnabled('RelaxedEnvironmentVariableValidation');
  return isRelaxed ? relaxedNameMessages : validateVariableName;
}

function checkVariable(
  variable: FieldCursor<EnvVar>,
  nameRule: (name: string) => readonly string[],
  emulated: EmulatedRelease,
): void {
  variable.at('name').mustBe(nameRule);
  const from = variable.at('valueFrom');
  if (!from.isPresent()) return;
  const count = checkSources(from, emulated);
  if (count === 0) from.reportInvalid(noSource(emulated), '');
  else if (variable.value.value) from.reportInvalid('may not be specified when `value` is not empty', '');
  else if (count > 1) from.reportInvalid('may not have more than one field specified at a time', '');
}

function noSource(emulated: EmulatedRelease): string {
  const known = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`';
  return isSince(emulated.release, '1.34') && emulated.isFeatureEnabled('EnvFiles')
    ? `must specify one of: ${known}, \`secretKeyRef\` or \`fileKeyRef\``
    : `must specify one of: ${known} or \`secretKeyRef\``;
}

/** Checks the sources of a value. Returns how many are set. */
function checkSources(from: FieldCursor<EnvVarSource>, emulated: EmulatedRelease): number {
  const [field, resource] = [from.at('fieldRef'), from.at('resourceFieldRef')];
  const [configMap, secret, file] = [from.at('configMapKeyRef'), from.at('secretKeyRef'), from.at('fileKeyRef')];
  if (field.isPresent()) checkFieldReference(field, variableFieldsIn(emulated), emulated);
  if (resource.isPresent()) checkResourceReference(resource, false);
  for (const key of [configMap, secret]) if (key.isPresent()) checkKeyReference(key);
  if (file.isPresent()) checkFileKey(file);
  return [field, resource, configMap, secret, file].filter(({ value }) => value).length;
}

/** Checks a reference to a key in a file. Its volume is checked together with the pod's volumes. */
function checkFileKey(reference: FieldCursor<FileKeySelector>): void {
  const [key, volume, path] = [reference.at('key'), reference.at('volumeName'), reference.at('path')];
  for (const field of [key, volume, path]) field.mustBeSet();
  key.mustBe(relaxedNameMessages);
  volume.mustBe(validateDnsLabel);
  path.report(...checkNoBacksteps(path.path, path.value));
}

/** Printable ASCII characters except `=`. */
const relaxedPattern = /^[ -<>-~]+$/;

function relaxedNameMessages(name: string): readonly string[] {
  return relaxedPattern.test(name)
    ? nothingWrong
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}
