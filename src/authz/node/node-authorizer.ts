import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { PersistentVolume, Pod } from '../../gen/stored/core-v1.ts';
import type { VolumeAttachment } from '../../gen/stored/storage-v1.ts';
import type { Lister, ListerFeed, ListerOf } from '../../meta/lister.ts';
import { nodeNameOf } from '../../meta/node-name.ts';
import type { AuthorizationDecision, Authorizer } from '../authorizer.ts';
import type { PolicyRule } from '../rbac/policy-rule.ts';
import { RoleRules, ruleRequest } from '../rbac/role-rules.ts';
import { nodeRules } from './node-rules.ts';
import { podReferences } from './pod-references.ts';
import { type Reference, ReferenceGraph } from './reference-graph.ts';
import { attachmentReferences, volumeReferences } from './volume-references.ts';

interface NodeAuthorizerDependencies {
  readonly identifiers: Identifiers;
  readonly listerOf: ListerOf;
  /** The rules for the resources that are not divided among nodes: those of `system:node`. */
  readonly rules: readonly PolicyRule[];
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
}

const allow: AuthorizationDecision = Object.freeze({ decision: 'allow', reason: '' });
const noOpinion: AuthorizationDecision = Object.freeze({ decision: 'no-opinion', reason: '' });

/**
 * `--authorization-mode=Node`: allows node agents what they need, and of Secrets, ConfigMaps,
 * volumes and service accounts only those that the pods of their node refer to. It has no opinion
 * on other users.
 */
export function nodeAuthorizer({ identifiers, listerOf, rules, signal }: NodeAuthorizerDependencies): Authorizer {
  const graph = new ReferenceGraph();
  const feeds = followAll(graph, identifiers, listerOf);
  const divided = nodeRules(identifiers);
  const shared = new RoleRules(rules);
  const catchUp = (): Promise<void> | undefined => {
    for (const feed of feeds) {
      const pending = feed.catchUp(signal);
      if (pending) return pending.then(catchUp);
    }
    return undefined;
  };
  return {
    name: 'Node',
    authorize(attributes) {
      const nodeName = nodeNameOf(attributes.user);
      if (nodeName === undefined) return noOpinion;
      if (nodeName === '') return because(`unknown node for user ${JSON.stringify(attributes.user.username)}`);
      const rule = attributes.resourceRequest && divided.get(`${attributes.apiGroup}/${attributes.resource}`);
      if (!rule) return shared.find(ruleRequest(attributes)) ? allow : noOpinion;
      const decide = (): AuthorizationDecision => because(rule({ nodeName, attributes, graph }));
      const pending = catchUp();
      return pending ? pending.then(decide) : decide();
    },
  };
}

function because(reason: string): AuthorizationDecision {
  return reason === '' ? allow : { decision: 'no-opinion', reason };
}

function followAll(
  graph: ReferenceGraph,
  { apiDomain, labelDomain }: Identifiers,
  listerOf: ListerOf,
): readonly ListerFeed[] {
  const follow = (lister: Lister<{ readonly references: readonly Reference[] }>): ListerFeed =>
    lister.follow((key, item) => graph.set(key, item?.references ?? []));
  const ofPod = (pod: Pod) => ({ references: podReferences(pod, `${labelDomain}/config.mirror`) });
  const volumes = listerOf({
    group: '',
    resource: 'persistentvolumes',
    warm: true,
    read: (volume: PersistentVolume) => ({ references: volumeReferences(volume) }),
  });
  const attachments = listerOf({
    group: `storage.${apiDomain}`,
    resource: 'volumeattachments',
    warm: true,
    read: (attachment: VolumeAttachment) => ({ references: attachmentReferences(attachment) }),
  });
  return [
    follow(listerOf({ group: '', resource: 'pods', warm: true, read: ofPod })),
    follow(volumes),
    follow(attachments),
  ];
}
