import type { CustomResourceDefinition } from '../../gen/stored/apiextensions-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { getOwn } from '../../meta/json-value.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { type DefinitionCondition, withCondition } from './definition-condition.ts';

type ApprovalState = 'missing' | 'bypassed' | 'approved' | 'invalid';

/** The approval of a definition in a group of the project. */
interface Approval {
  readonly state: ApprovalState;
  readonly annotation: string;
  readonly why: string;
}

const reasons: Readonly<Record<ApprovalState, Pick<DefinitionCondition, 'status' | 'reason'>>> = {
  missing: { status: 'False', reason: 'MissingAnnotation' },
  bypassed: { status: 'False', reason: 'UnapprovedAnnotation' },
  approved: { status: 'True', reason: 'ApprovedAnnotation' },
  invalid: { status: 'False', reason: 'InvalidAnnotation' },
};

/**
 * The definition with the condition that tells of its approval, which only groups of the project
 * need. Returns the definition itself if nothing changes.
 */
export function withApproval(crd: CustomResourceDefinition, identifiers: Identifiers): CustomResourceDefinition {
  const approval = approvalOf(crd, identifiers);
  if (!approval) return crd;
  const { state, why } = approval;
  return withCondition(crd, { type: 'KubernetesAPIApprovalPolicyConformant', ...reasons[state], message: why });
}

/**
 * The errors of the approval of a definition. One that has none may stay so: its writer may know
 * nothing of the annotation.
 */
export function approvalErrors(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  identifiers: Identifiers,
): FieldError[] {
  const approval = approvalOf(crd, identifiers);
  if (!approval || (old && approvalOf(old, identifiers)?.state === approval.state)) return [];
  const { state, annotation, why } = approval;
  const field = `metadata.annotations[${annotation}]`;
  if (state === 'missing') return [required(field, why)];
  return state === 'invalid' ? [invalid(field, textOf(crd, annotation), why)] : [];
}

function approvalOf(crd: CustomResourceDefinition, { apiDomain, labelDomain }: Identifiers): Approval | undefined {
  const { group } = crd.spec;
  const isProtected = [apiDomain, labelDomain].some((domain) => group === domain || group.endsWith(`.${domain}`));
  if (!isProtected) return undefined;
  const annotation = `api-approved.${labelDomain}`;
  const text = textOf(crd, annotation);
  const wanted = `protected groups must have approval annotation ${JSON.stringify(annotation)}`;
  if (text === '') return { state: 'missing', annotation, why: `${wanted}, see ${policy}` };
  if (text.startsWith('unapproved'))
    return { state: 'bypassed', annotation, why: `not approved: ${JSON.stringify(text)}` };
  if (isAddress(text)) return { state: 'approved', annotation, why: `approved in ${text}` };
  const form = 'with either a URL or a reason starting with "unapproved"';
  return { state: 'invalid', annotation, why: `${wanted} ${form}, see ${policy}` };
}

const project = 'kubernetes';
const policy = `https://github.com/${project}/enhancements/pull/1111`;

function textOf({ metadata }: CustomResourceDefinition, annotation: string): string {
  return getOwn(metadata.annotations ?? {}, annotation) ?? '';
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && new URL(text).host !== '';
}
