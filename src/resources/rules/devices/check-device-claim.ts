import type {
  DeviceClaim,
  DeviceConstraint,
  DeviceRequest,
  DeviceSelector,
  DeviceSubRequest,
  ExactDeviceRequest,
} from '../../../gen/stored/resource-v1.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { notSupported } from '../../../status/field-error.ts';
import { checkList } from './checked-list.ts';
import { checkConfiguration } from './device-configuration.ts';
import { checkFullyQualifiedName, checkLabelName } from './device-names.ts';
import { checkRequestNames, requestLimit, type RequestNames, requestNamesOf } from './request-names.ts';
import { checkToleration } from './taints.ts';

/** The most entries of lists of a claim; `requestLimit` is the limit of requests. */
export const claimLimits = { constraints: 32, configuration: 32, alternatives: 8, selectors: 32 };

/** Checks the requests of a claim, except their expressions (`checkExpressions`). */
export function checkDeviceClaim(claim: FieldCursor<DeviceClaim>, emulated: EmulatedRelease): void {
  const names = requestNamesOf(claim.value);
  checkList(
    claim.at('requests') as FieldCursor<readonly DeviceRequest[] | undefined>,
    { limit: requestLimit, keyOf: ({ name }) => name },
    checkRequest,
  );
  checkList(claim.at('constraints'), { limit: claimLimits.constraints }, (one) => {
    checkConstraint(one, names, emulated);
  });
  checkList(claim.at('config'), { limit: claimLimits.configuration }, (one) => {
    checkRequestNames(one.at('requests'), names);
    checkConfiguration(one, false);
  });
}

const oneKind = 'exactly one of `exactly` or `firstAvailable` is required';

function checkRequest(request: FieldCursor<DeviceRequest>): void {
  const { exactly, firstAvailable = [] } = request.value;
  checkLabelName(request.at('name'));
  if (exactly && firstAvailable.length > 0) request.reportInvalid(`${oneKind}, but multiple fields are set`, null);
  else if (exactly) checkNeeds(request.at('exactly') as FieldCursor<ExactDeviceRequest>);
  else if (firstAvailable.length > 0) checkAlternatives(request);
  else request.reportRequired(oneKind);
}

function checkAlternatives(request: FieldCursor<DeviceRequest>): void {
  const rule = { limit: claimLimits.alternatives, keyOf: ({ name }: DeviceSubRequest) => name };
  checkList(request.at('firstAvailable'), rule, (alternative) => {
    checkLabelName(alternative.at('name'));
    checkNeeds(alternative);
  });
}

/** Checks a request, or one of its alternatives. */
function checkNeeds<T extends ExactDeviceRequest | DeviceSubRequest>(request: FieldCursor<T>): void {
  const needs = request as unknown as FieldCursor<ExactDeviceRequest>;
  const className = needs.at('deviceClassName');
  className.mustBeSet();
  className.mustBe(validateDnsSubdomain);
  checkSelectors(needs.at('selectors'));
  checkMode(needs);
  for (const toleration of needs.each('tolerations')) checkToleration(toleration);
}

/** Checks that each selector has an expression. */
export function checkSelectors(selectors: FieldCursor<readonly DeviceSelector[] | undefined>): void {
  checkList(selectors, { limit: claimLimits.selectors }, (selector) => {
    if (!selector.value.cel) selector.at('cel').reportRequired();
  });
}

const modes = ['All', 'ExactCount'];

function checkMode(needs: FieldCursor<ExactDeviceRequest>): void {
  const { allocationMode = '', count = 0 } = needs.value;
  if (allocationMode === 'All') {
    if (Number(count) !== 0) needs.at('count').reportInvalid("must not be specified when allocationMode is 'All'");
  } else if (allocationMode === 'ExactCount') {
    if (Number(count) <= 0) needs.at('count').reportInvalid('must be greater than zero', Number(count));
  } else needs.report(notSupported(needs.at('allocationMode').path, allocationMode, modes));
}

const noAttribute = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';

function checkConstraint(
  constraint: FieldCursor<DeviceConstraint>,
  names: RequestNames,
  emulated: EmulatedRelease,
): void {
  checkRequestNames(constraint.at('requests'), names);
  const [match, distinct] = [constraint.at('matchAttribute'), constraint.at('distinctAttribute')];
  if (match.isPresent()) checkFullyQualifiedName(match);
  else if (distinct.isPresent()) checkFullyQualifiedName(distinct);
  else if (emulated.isFeatureEnabled('DRAConsumableCapacity')) constraint.reportRequired(noAttribute);
  else match.reportRequired();
}
