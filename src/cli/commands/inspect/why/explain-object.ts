import { groupBy } from '../../../../meta/group-by.ts';
import { eventsAbout, builtIn, type Source } from '../describe/parts/related.ts';
import { shortGroup, textAt } from '../describe/parts/values.ts';
import type { DiscoveredResource } from '../../../../client/discovery.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { approval } from './approval.ts';
import { claim, podReferences } from './claims.ts';
import { conditions } from './conditions.ts';
import { containerStates } from './container-states.ts';
import { deletion } from './deletion.ts';
import { warnings } from './warning-events.ts';
import type { Check, Finding, Subject } from './subject.ts';
import { scheduling } from './scheduling.ts';
import { controller, isUnready, owners, quotas, selectedPods, service } from './why-workloads.ts';

/** The checks of every object, in the order of what they find. */
const common: readonly Check[] = [deletion, owners, controller, conditions];

const pod: readonly Check[] = [scheduling, podReferences, containerStates];
const workload: readonly Check[] = [workloadPods];

/** The checks of kinds, by group and resource. */
const ofKinds: Readonly<Record<string, readonly Check[]>> = {
  '/pods': pod,
  '/persistentvolumeclaims': [claim],
  '/services': [service],
  '/replicationcontrollers': workload,
  'apps/daemonsets': workload,
  'apps/deployments': workload,
  'apps/replicasets': workload,
  'apps/statefulsets': workload,
  'batch/jobs': workload,
  'certificates/certificatesigningrequests': [approval],
};

/** The reasons why an object is not as it should be; none if nothing was found. */
export async function explainObject(
  source: Source,
  resource: DiscoveredResource,
  object: JsonObject,
): Promise<readonly Finding[]> {
  const by = resource.kind === 'Pod' ? 'uid' : undefined;
  const subject: Subject = {
    source,
    resource,
    object,
    namespace: textAt(object, 'metadata.namespace'),
    name: textAt(object, 'metadata.name'),
    events: (await eventsAbout(source, object, by)) ?? [],
  };
  const checks = [...common, ...(ofKinds[`${shortGroup(resource.group)}/${resource.resource}`] ?? [])];
  const found = (await Promise.all(checks.map(async (check) => check(subject)))).flat();
  // Old Warnings of an object that is well are no reason.
  return unique(found.length > 0 || isPending(object) ? [...found, ...warnings(subject)] : found);
}

function isPending(object: JsonObject): boolean {
  const phase = textAt(object, 'status.phase');
  return phase === 'Pending' || phase === 'Failed' || phase === 'Unknown';
}

/** The same sentence is said once. */
function unique(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((each) => [each.says, each])).values()];
}

/** More pods have the same problems. */
const explainedPods = 3;

/** The pods of a workload: too few of them, and the problems of those that are not ready. */
async function workloadPods(subject: Subject): Promise<Finding[]> {
  const { source, object } = subject;
  const resource = builtIn(source.resources, '', 'pods');
  const pods = await selectedPods(subject);
  const desired = Number(textAt(object, 'spec.replicas') || '0');
  const problems = pods.filter(isUnready);
  const full = pods.length < desired ? await quotas(subject) : [];
  const tooFew =
    pods.length < desired && textAt(object, 'metadata.deletionTimestamp') === ''
      ? [{ says: `It has ${pods.length} of ${desired} pods.`, next: 'see the reasons below' }]
      : [];
  if (!resource) return tooFew;
  const explained = await Promise.all(
    problems.slice(0, explainedPods).map(async (each) => ({
      name: textAt(each, 'metadata.name'),
      findings: await explainObject(source, resource, each),
    })),
  );
  return [...tooFew, ...full, ...ofPods(explained)];
}

/** Faults that several pods have are said once. */
function ofPods(explained: readonly { name: string; findings: readonly Finding[] }[]): Finding[] {
  const bySays = groupBy(
    explained.flatMap(({ name, findings }) => findings.map((finding) => ({ name, finding }))),
    ({ finding }) => finding.says,
  );
  return [...bySays].map(([says, found]) => {
    const names = found.map(({ name }) => name);
    return { says: `Pod ${names.join(', ')}: ${says}`, next: found[0]?.finding.next ?? '' };
  });
}
