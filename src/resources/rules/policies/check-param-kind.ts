import type {
  MutatingAdmissionPolicyBinding,
  ParamKind,
  ParamRef,
} from '../../../gen/stored/admissionregistration-v1.ts';
import { parseApiVersion } from '../../../meta/group-version-kind.ts';
import { validateDns1035Label, validateDnsSubdomain, validatePathSegment } from '../../../meta/validate-name.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { checkLabelSelector } from '../fields/labels.ts';

/** Checks the kind of a policy's parameters. */
export function checkParamKind(kind: FieldCursor<ParamKind | undefined>): void {
  checkApiVersion(kind.at('apiVersion'));
  const name = kind.at('kind');
  const messages = name.value ? validateDns1035Label(name.value.toLowerCase()) : [];
  if (messages.length > 0) {
    name.reportInvalid(`may have mixed case, but should otherwise match: ${messages.join(',')}`);
  }
}

function checkApiVersion(apiVersion: FieldCursor<string | undefined>): void {
  const { value } = apiVersion;
  if (!value) return;
  const parsed = parseApiVersion(value);
  if (!parsed) return apiVersion.reportInvalid(`unexpected GroupVersion string: ${value}`);
  const { group, version } = parsed;
  const ofGroup = group === '' ? [] : validateDnsSubdomain(group);
  if (ofGroup.length > 0) apiVersion.reportInvalid(ofGroup.join(','), group);
  if (version === '') return apiVersion.reportInvalid('version must be specified');
  const ofVersion = validateDns1035Label(version);
  if (ofVersion.length > 0) apiVersion.reportInvalid(ofVersion.join(','), version);
}

const exclusive = 'name and selector are mutually exclusive';

/** Checks the parameter reference of a binding: a name or a selector. */
export function checkParamRef(params: FieldCursor<ParamRef | undefined>): void {
  const { value, path } = params;
  if (value === undefined) return;
  const { name = '', selector } = value;
  if (name !== '') {
    for (const message of validatePathSegment(name)) params.at('name').reportInvalid(message);
    if (selector) params.at('name').reportForbidden(exclusive);
  }
  if (selector) {
    params.report(...checkLabelSelector(`${path}.selector`, selector));
    if (name !== '') params.at('selector').reportForbidden(exclusive);
  }
  if (name === '' && !selector) params.reportRequired('one of name or selector must be specified');
  if ((value.parameterNotFoundAction ?? '') === '') params.at('parameterNotFoundAction').reportRequired();
}

/**
 * Sets the default for missing parameters of a mutating binding in the first version: deny.
 * Mutates.
 */
export function defaultParamRef(binding: MutatingAdmissionPolicyBinding, { version, emulated }: StrategyContext): void {
  const { paramRef } = binding.spec;
  if (version === 'v1alpha1' && paramRef && isSince(emulated.release, '1.28')) {
    paramRef.parameterNotFoundAction ??= 'Deny';
  }
}
