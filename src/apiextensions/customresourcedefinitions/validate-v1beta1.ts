import { sameValue } from '../../meta/read-field.ts';
import { validateDns1035Label } from '../../meta/validate-name.ts';
import type { StrategyContext } from '../../registry/definition/strategy.ts';
import { allErrors, errorsOfEach, noErrors } from '../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, required } from '../../status/field-error.ts';
import { checkString } from '../../resources/rules/fields/check.ts';
import { rulesOfV1beta1 } from './schema-rules.ts';
import { type BetaSpec, partsAsSent, type SpecParts, type VersionParts } from './spec-parts.ts';
import { checkSpecParts } from './version-parts.ts';

/**
 * All errors of a v1beta1 definition that are about its fields at the top of the spec, which v1
 * does not have, or about the parts that may be there.
 */
export function validateV1beta1(spec: BetaSpec, context: StrategyContext): readonly FieldError[] {
  const parts = partsAsSent(spec);
  const prunes = spec.preserveUnknownFields === false;
  return allErrors(
    prunes ? prunedErrors(parts) : noErrors,
    repetitionErrors(parts),
    nameErrors(spec.version || parts.versions[0]?.name || '', parts),
    checkSpecParts(parts, rulesOfV1beta1(parts, prunes, context.identifiers)),
  );
}

/** A definition that prunes unknown fields must have schemas in all versions that it serves. */
function prunedErrors({ top, versions }: SpecParts): readonly FieldError[] {
  if (hasSchema(top)) return noErrors;
  return errorsOfEach(versions, (version, index) =>
    version.served && !hasSchema(version)
      ? [required(`spec.versions[${index}].schema.openAPIV3Schema`, 'because otherwise all fields are pruned')]
      : noErrors,
  );
}

function hasSchema({ schema }: VersionParts): boolean {
  return schema?.openAPIV3Schema !== undefined;
}

/** Each part with its name at the top and the plural for messages. */
const shownParts = [
  ['schema', 'validation', 'schemas'],
  ['subresources', 'subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns', 'additionalPrinterColumns'],
] as const;

/** Each part is either at the top or in versions, and not the same in all versions. */
function repetitionErrors({ top, versions }: SpecParts): readonly FieldError[] {
  return allErrors(
    errorsOfEach(shownParts, ([name, atTop, plural]) =>
      hasPart(top, name) && versions.some((version) => hasPart(version, name))
        ? [forbidden(`spec.${atTop}`, `top-level and per-version ${plural} are mutually exclusive`)]
        : noErrors,
    ),
    errorsOfEach(shownParts, ([name, atTop, plural]) => {
      const [first] = versions;
      const isRepeated = versions.every((one) => hasPart(one, name) && sameValue(one[name], first?.[name]));
      const why = `per-version ${plural} may not all be set to identical values (top-level ${atTop} should be used instead)`;
      return first && isRepeated ? [invalid('spec.versions', [...versions], why)] : noErrors;
    }),
  );
}

/** Columns are a list, which is none if it is empty. */
function hasPart(part: VersionParts, name: keyof VersionParts): boolean {
  const value = part[name];
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

/** Checks `spec.version`: it is the name of the first version. */
function nameErrors(version: string, { versions }: SpecParts): readonly FieldError[] {
  const isOther = version !== '' && versions.length > 0 && version !== versions[0]?.name;
  return allErrors(
    version === '' ? noErrors : checkString('spec.version', version, validateDns1035Label),
    isOther ? [invalid('spec.version', version, 'must match the first version in spec.versions')] : noErrors,
  );
}
