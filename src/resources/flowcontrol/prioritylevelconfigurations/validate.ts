import type {
  QueuingConfiguration,
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
} from '../../../gen/stored/flowcontrol-v1.ts';
import { objectAt, sameValue } from '../../../meta/read-field.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { defaultPriorityLevels, sharesField } from '../default-priority-levels.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { nameOf } from '../../../meta/object-meta.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { zeroSharesAnnotation } from './convert.ts';

/** All errors of a priority level. The field of its shares depends on the version. */
export function validatePriorityLevel(
  level: PriorityLevelConfiguration,
  context: StrategyContext,
  old?: PriorityLevelConfiguration,
): FieldError[] {
  const { spec } = level;
  const { type } = spec;
  const misnamed = (nameOf(level) === 'exempt') !== (type === 'Exempt');
  const shares: SharesRule = {
    field: sharesField(context.version),
    mayBeZero:
      context.emulated.isFeatureEnabled('ZeroLimitedNominalConcurrencyShares') ||
      old?.spec.limited?.nominalConcurrencyShares === 0,
  };
  return [
    ...annotationErrors(level, context),
    ...(misnamed ? [invalid('spec.type', type, "type must be 'Exempt' if and only if name is 'exempt'")] : []),
    ...typeErrors(spec, shares),
    ...mandatoryErrors(level, context),
  ];
}

/** The field and the rule of a limited level's shares in a version. */
interface SharesRule {
  readonly field: string;
  readonly mayBeZero: boolean;
}

/**
 * The errors of changes to the two mandatory levels, whose specs are fixed. Administrators may only
 * change `exempt` of the level exempt.
 */
function mandatoryErrors(level: PriorityLevelConfiguration, { identifiers, emulated }: StrategyContext): FieldError[] {
  const { release } = emulated;
  const name = nameOf(level);
  if (!isSince(release, '1.26') || (name !== 'exempt' && name !== 'catch-all')) return [];
  const fixed = defaultPriorityLevels(identifiers, release).find(({ object }) => nameOf(object) === name);
  const { exempt: _, ...others } = level.spec;
  const { exempt: _fixed, ...fixedSpec } = objectAt(fixed?.object ?? {}, 'spec');
  if (sameValue(name === 'exempt' ? others : level.spec, fixedSpec)) return [];
  const except = name === 'exempt' && isSince(release, '1.28') ? " except the 'spec.exempt' field" : '';
  return [invalid('spec', level.spec, `spec of '${name}'${except} must equal the fixed value`)];
}

/** The error of the annotation for a share of 0, which conversions of beta versions remove. */
function annotationErrors({ metadata }: PriorityLevelConfiguration, { identifiers }: StrategyContext): FieldError[] {
  const annotation = zeroSharesAnnotation(identifiers);
  if (getOwn(metadata.annotations ?? {}, annotation) === undefined) return [];
  return [forbidden('metadata.annotations', `annotation '${annotation}' is forbidden`)];
}

function typeErrors({ type, limited, exempt }: PriorityLevelConfigurationSpec, shares: SharesRule): FieldError[] {
  switch (type) {
    case 'Exempt':
      return [
        ...(limited ? [forbidden('spec.limited', 'must be nil if the type is not Limited')] : []),
        ...(exempt ? exemptErrors(exempt) : []),
      ];
    case 'Limited':
      return [
        ...(exempt ? [forbidden('spec.exempt', 'must be nil if the type is Limited')] : []),
        ...(limited
          ? limitedErrors(limited, shares)
          : [required('spec.limited', 'must not be empty when type is Limited')]),
      ];
    default:
      return [notSupported('spec.type', type, ['Exempt', 'Limited'])];
  }
}

function exemptErrors({ nominalConcurrencyShares, lendablePercent }: ExemptPriorityLevelConfiguration) {
  const path = 'spec.exempt';
  return [
    ...(nominalConcurrencyShares < 0
      ? [invalid(`${path}.nominalConcurrencyShares`, nominalConcurrencyShares, 'must be a non-negative integer')]
      : []),
    ...percentErrors(`${path}.lendablePercent`, lendablePercent),
  ];
}

function percentErrors(field: string, percent = 0): FieldError[] {
  return percent < 0 || percent > 100 ? [invalid(field, percent, 'must be between 0 and 100, inclusive')] : [];
}

function limitedErrors(limited: LimitedPriorityLevelConfiguration, shares: SharesRule): FieldError[] {
  const path = 'spec.limited';
  const { limitResponse, lendablePercent, borrowingLimitPercent = 0 } = limited;
  return [
    ...sharesErrors(limited.nominalConcurrencyShares, shares),
    ...responseErrors(limitResponse, `${path}.limitResponse`),
    ...percentErrors(`${path}.lendablePercent`, lendablePercent),
    ...(borrowingLimitPercent < 0
      ? [
          invalid(
            `${path}.borrowingLimitPercent`,
            borrowingLimitPercent,
            'if specified, must be a non-negative integer',
          ),
        ]
      : []),
  ];
}

function sharesErrors(shares: number, { field, mayBeZero }: SharesRule): FieldError[] {
  if (shares > 0 || (shares === 0 && mayBeZero)) return [];
  const detail = mayBeZero ? 'must be a non-negative integer' : 'must be positive';
  return [invalid(`spec.limited.${field}`, shares, detail)];
}

function responseErrors({ type, queuing }: LimitResponse, path: string): FieldError[] {
  switch (type) {
    case 'Reject':
      return queuing ? [forbidden(`${path}.queuing`, 'must be nil if limited.limitResponse.type is not Limited')] : [];
    case 'Queue':
      return queuing
        ? queueErrors(queuing, `${path}.queuing`)
        : [required(`${path}.queuing`, 'must not be empty if limited.limitResponse.type is Limited')];
    default:
      return [notSupported(`${path}.type`, type, ['Queue', 'Reject'])];
  }
}

const queuesLimit = 10_000_000;

function queueErrors({ queueLengthLimit, queues, handSize }: QueuingConfiguration, path: string): FieldError[] {
  const positive = (name: string, value: number): FieldError[] =>
    value <= 0 ? [invalid(`${path}.${name}`, value, 'must be positive')] : [];
  return [
    ...positive('queueLengthLimit', queueLengthLimit),
    ...positive('queues', queues),
    ...(queues > queuesLimit ? [invalid(`${path}.queues`, queues, `must not be greater than ${queuesLimit}`)] : []),
    ...positive('handSize', handSize),
    ...handErrors(handSize, queues, `${path}.handSize`),
  ];
}

/** The bits of the hash from which the queues of a flow are chosen. */
const hashBits = 60;

function handErrors(hand: number, queues: number, field: string): FieldError[] {
  if (hand <= 0) return [];
  if (hand > queues) return [invalid(field, hand, `should not be greater than queues (${queues})`)];
  if (Math.ceil(Math.log2(queues) * hand) <= hashBits) return [];
  const needed = `required entropy bits of deckSize ${queues} and handSize ${hand}`;
  return [invalid(field, hand, `${needed} should not be greater than ${hashBits}`)];
}
