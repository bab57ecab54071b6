import type { Identifiers } from '../../../identifiers/identifiers.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * The labels that a node may not change on itself: those reserved for administrators, and labels
 * of the product that are not the node agent's. Workloads can be kept to nodes by them.
 */
export function forbiddenNodeLabels(labels: Labels, oldLabels: Labels, identifiers: Identifiers): readonly string[] {
  const changed = Object.keys({ ...labels, ...oldLabels }).filter((key) => labels[key] !== oldLabels[key]);
  return changed.filter((key) => !isFree(key, identifiers)).toSorted();
}

function isFree(key: string, { labelDomain, apiDomain, nodeAgent }: Identifiers): boolean {
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  const isProducts = isWithin(domain, labelDomain) || isWithin(domain, apiDomain);
  if (!isProducts) return true;
  const ownDomains = [`${nodeAgent}.${labelDomain}`, `node.${labelDomain}`];
  return ownLabels(labelDomain).has(key) || ownDomains.some((own) => isWithin(domain, own));
}

/** The labels that a node agent sets. */
function ownLabels(domain: string): ReadonlySet<string> {
  return new Set([
    ...['hostname', 'os', 'arch'].map((name) => `${domain}/${name}`),
    ...['instance-type', 'os', 'arch'].map((name) => `beta.${domain}/${name}`),
    ...['topology', 'failure-domain.beta'].flatMap((part) => [`${part}.${domain}/zone`, `${part}.${domain}/region`]),
    `node.${domain}/instance-type`,
  ]);
}

function isWithin(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}
