import { useState } from 'preact/hooks';
import type { AccessQuestion } from '../../../cli/commands/access/access-question.ts';
import type { DiscoveredResource } from '../../../client/discovery.ts';
import type { Kinds } from '../../server/kinds.ts';
import { AccessReview } from './access-review.tsx';
import { RoleGrants } from './role-grants.tsx';

interface AccessProps {
  readonly kinds: Kinds;
  readonly kind: DiscoveredResource;
  /** '' is all namespaces. */
  readonly namespace: string;
  /** '' is all objects. */
  readonly name: string;
}

/** Verbs of all kinds that discovery lists under other names, or not at all. */
const otherVerbs = ['*'];

/** The users who may do something with a kind or an object, and why. */
export function Access({ kinds, kind, namespace, name }: AccessProps) {
  const verbs = [...kind.verbs, ...otherVerbs];
  const [verb, setVerb] = useState(verbs.includes('get') ? 'get' : (verbs[0] ?? '*'));
  const [subresource, setSubresource] = useState('');
  const { group, resource, namespaced } = kind;
  const isCollection = ['list', 'watch', 'create', 'deletecollection'].includes(verb);
  const question: AccessQuestion = {
    verb,
    path: '',
    group,
    resource,
    subresource: subresource.trim(),
    namespace: namespaced ? namespace : '',
    name: isCollection ? '' : name,
  };
  return (
    <div class="access">
      <div class="bar">
        <span class="pair">
          <label for="verb">Verb</label>
          <select id="verb" value={verb} onChange={(event) => setVerb(event.currentTarget.value)}>
            {verbs.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </span>
        <span class="pair">
          <label for="subresource">Sub-resource</label>
          <input
            id="subresource"
            placeholder="none"
            autocomplete="off"
            spellcheck={false}
            value={subresource}
            onChange={(event) => setSubresource(event.currentTarget.value)}
          />
        </span>
      </div>
      <AccessReview kinds={kinds} question={question} />
      <RoleGrants kinds={kinds} question={question} />
    </div>
  );
}
