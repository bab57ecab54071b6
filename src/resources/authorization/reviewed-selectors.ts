import type { RequestSelectors } from '../../authz/request-selectors.ts';
import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  ResourceAttributes,
} from '../../gen/stored/authorization-v1.ts';
import type { FieldSelectorRequirement, LabelSelectorRequirement } from '../../gen/stored/meta-v1.ts';
import { type FieldRequirement, parseFieldSelector } from '../../meta/field-selector.ts';
import type { LabelOperator } from '../../meta/label-demand.ts';
import { checkLabelRequirement, type LabelRequirement } from '../../meta/label-requirement.ts';
import { parseLabelRequirements } from '../../meta/label-selector.ts';
import { validateLabelValue, validateQualifiedName } from '../../meta/validate-name.ts';
import type { FieldCursor } from '../../status/field-cursor.ts';
import { StatusError } from '../../status/status-error.ts';

/** Checks the selectors of a review. Unknown operators are allowed and ignored. */
export function checkSelectors(attributes: FieldCursor<ResourceAttributes | undefined>): void {
  const fields = attributes.at('fieldSelector');
  checkForm(fields);
  for (const requirement of fields.each('requirements')) {
    if (!requirement.value.key) requirement.at('key').reportRequired('must be specified');
    checkValues(requirement);
  }
  const labels = attributes.at('labelSelector');
  checkForm(labels);
  for (const requirement of labels.each('requirements')) {
    checkValues(requirement);
    const { key, values = [] } = requirement.value;
    for (const message of validateQualifiedName(key)) requirement.at('key').reportInvalid(message);
    for (const value of requirement.each('values')) if (values.length > 0) value.mustBe(validateLabelValue);
  }
}

/** Checks that a selector is given in exactly one of its forms. */
function checkForm(selector: FieldCursor<FieldSelectorAttributes | LabelSelectorAttributes | undefined>): void {
  if (!selector.value) return;
  const { rawSelector = '', requirements = [] } = selector.value;
  if (rawSelector !== '' && requirements.length > 0) {
    selector.at('rawSelector').reportInvalid('may not specified at the same time as requirements');
  }
  if (rawSelector === '' && requirements.length === 0) {
    const detail = `when ${selector.path} is specified, requirements or rawSelector is required`;
    selector.at('requirements').reportRequired(detail);
  }
}

function checkValues(requirement: FieldCursor<FieldSelectorRequirement | LabelSelectorRequirement>): void {
  const { operator, values = [] } = requirement.value;
  const list = requirement.at('values');
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0) {
    list.reportRequired("must be specified when `operator` is 'In' or 'NotIn'");
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0) {
    list.reportForbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  }
}

/** The selectors of a review in the form for authorizers. */
interface ReviewedSelectors {
  readonly selectors: RequestSelectors;
  /** The parts that could not be parsed, as sentences. */
  readonly problems: readonly string[];
}

/** The requirements that could be parsed, and if there are others. */
interface Readable<Requirement> {
  readonly requirements: readonly Requirement[];
  readonly isWhole: boolean;
}

/**
 * Parses the selectors of a valid review. A requirement that cannot be parsed is left out: the
 * review is then about more objects.
 */
export function reviewedSelectors({ fieldSelector, labelSelector }: ResourceAttributes): ReviewedSelectors {
  const fields = readableOf(fieldSelector, (text) => parseFieldSelector(text).requirements, fieldRequirement);
  const labels = readableOf(labelSelector, parseLabelRequirements, labelRequirement);
  return {
    selectors: {
      ...(fields.requirements.length > 0 ? { fieldSelector: fields.requirements } : {}),
      ...(labels.requirements.length > 0 ? { labelSelector: labels.requirements } : {}),
    },
    problems: [...problemOf('fieldSelector', fields), ...problemOf('labelSelector', labels)],
  };
}

function problemOf(name: string, { requirements, isWhole }: Readable<unknown>): readonly string[] {
  if (isWhole) return [];
  const partially = requirements.length > 0 ? 'partially ' : '';
  return [`spec.resourceAttributes.${name} ${partially}ignored due to parse error`];
}

function readableOf<Given, Requirement>(
  selector: { readonly rawSelector?: string; readonly requirements?: readonly Given[] } | undefined,
  parse: (text: string) => readonly Requirement[],
  convert: (given: Given) => Requirement | undefined,
): Readable<Requirement> {
  const { rawSelector = '', requirements: given = [] } = selector ?? {};
  if (given.length > 0) {
    const requirements = given.flatMap((one) => convert(one) ?? []);
    return { requirements, isWhole: requirements.length === given.length };
  }
  try {
    return { requirements: rawSelector === '' ? [] : parse(rawSelector), isWhole: true };
  } catch (error) {
    if (error instanceof StatusError) return { requirements: [], isWhole: false };
    throw error;
  }
}

const fieldOperators: Readonly<Record<string, FieldRequirement['operator']>> = { In: '=', NotIn: '!=' };

function fieldRequirement({ key, operator, values = [] }: FieldSelectorRequirement): FieldRequirement | undefined {
  const [value, ...more] = values;
  const sign = Object.hasOwn(fieldOperators, operator) ? fieldOperators[operator] : undefined;
  return sign === undefined || value === undefined || more.length > 0
    ? undefined
    : { field: key, operator: sign, value };
}

const labelOperators: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

function labelRequirement({ key, operator, values = [] }: LabelSelectorRequirement): LabelRequirement | undefined {
  const sign = Object.hasOwn(labelOperators, operator) ? labelOperators[operator] : undefined;
  if (sign === undefined) return undefined;
  const requirement = { key, operator: sign, values };
  return checkLabelRequirement(requirement) === undefined ? requirement : undefined;
}
