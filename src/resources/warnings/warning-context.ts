import type { EmulatedRelease } from '../../scheme/emulated-release.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { isSince } from '../../scheme/api-release.ts';

/** The emulated release, which decides about warnings and their words, and the names of labels. */
export interface WarningRelease extends Pick<EmulatedRelease, 'release' | 'isFeatureEnabled'> {
  readonly identifiers: Identifiers;
}

/** True if a warning, or its words, came with a release that is emulated. */
export function warnsSince({ release }: WarningRelease, since: string): boolean {
  return isSince(release, since);
}

/** Fills in the domains of labels and groups: `{label}` and `{api}`. */
export function withDomains(text: string, { identifiers }: WarningRelease): string {
  return text.replaceAll('{label}', identifiers.labelDomain).replaceAll('{api}', identifiers.apiDomain);
}
