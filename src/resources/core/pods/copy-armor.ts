import type { AppArmorProfile, Pod } from '../../../gen/stored/core-v1.ts';
import { allContainers } from '../../../kinds/core/pod.ts';
import { getOwn } from '../../../meta/json-value.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { sameMessage } from '../../../scheme/same-message.ts';

const localPrefix = 'localhost/';
const sameProfile = sameMessage('api.core.v1.AppArmorProfile');

/**
 * Copies AppArmor profiles of a new pod from deprecated annotations to fields, and warns of the
 * annotations. Mutates.
 */
export function copyArmor(pod: Pod, { identifiers, warn }: Pick<StrategyContext, 'identifiers' | 'warn'>): void {
  const { spec, metadata } = pod;
  if (spec.os?.name === 'windows' || !metadata.annotations) return;
  for (const container of allContainers(spec)) {
    const annotation = `container.apparmor.security.beta.${identifiers.labelDomain}/${container.name}`;
    const given = getOwn(metadata.annotations, annotation);
    if (given === undefined || container.securityContext?.appArmorProfile) continue;
    const profile = profileOf(given);
    const isOfPod = profile !== undefined && sameProfile(profile, spec.securityContext.appArmorProfile);
    if (profile && !isOfPod) {
      container.securityContext = { ...container.securityContext, appArmorProfile: profile };
    }
    if (isOfPod) continue;
    const field = `metadata.annotations[${annotation}]`;
    warn(`${field}: deprecated since v1.30; use the "appArmorProfile" field instead`);
  }
}

function profileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const localhostProfile = annotation.slice(localPrefix.length);
  if (!annotation.startsWith(localPrefix) || localhostProfile.trim() !== localhostProfile) return undefined;
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile };
}
