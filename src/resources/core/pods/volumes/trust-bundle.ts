import type { ClusterTrustBundleProjection } from '../../../../gen/stored/core-v1.ts';
import { validateDnsSubdomain } from '../../../../meta/validate-name.ts';
import type { FieldCursor } from '../../../../status/field-cursor.ts';
import { checkSignerName } from '../../../certificates/certificatesigningrequests/signer-name.ts';
import { checkLabelSelector } from '../../../rules/fields/labels.ts';
import { checkFilePath } from './reference.ts';

/** Checks the projection of trust bundles: of one by its name, or of those of a signer. */
export function checkTrustBundle(bundle: FieldCursor<ClusterTrustBundleProjection>): void {
  const [name, signer, selector] = [bundle.at('name'), bundle.at('signerName'), bundle.at('labelSelector')];
  if (name.isPresent() && signer.isPresent()) {
    bundle.reportInvalid('only one of name and signerName may be used');
  } else if (name.isPresent()) {
    name.mustBeSet('must be a valid object name');
    for (const message of bundleNameMessages(name.value)) name.reportInvalid(message);
    if (selector.isPresent()) selector.reportInvalid('labelSelector must be unset if name is specified');
  } else if (signer.isPresent()) {
    signer.mustBeSet('must be a valid signer name');
    signer.report(...checkSignerName(signer.path, signer.value));
    if (selector.value) selector.report(...checkLabelSelector(selector.path, selector.value));
  } else bundle.reportRequired('either name or signerName must be specified');
  const file = bundle.at('path');
  file.mustBeSet();
  file.report(...checkFilePath(file.path, file.value));
}

/** A bundle of a signer has its name before the last colon, with colons for slashes. */
function bundleNameMessages(name: string): readonly string[] {
  const end = name.lastIndexOf(':');
  return validateDnsSubdomain(name.slice(end + 1)).map((message) => `not a valid clustertrustbundlename: ${message}`);
}
