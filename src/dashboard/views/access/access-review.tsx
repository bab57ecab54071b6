import { useState } from 'preact/hooks';
import type { AccessQuestion } from '../../../cli/commands/access/access-question.ts';
import { postReview } from '../../../cli/commands/access/post-review.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { annotationsOf } from '../../../meta/object-meta.ts';
import { isTrue, objectAt, stringAt } from '../../../meta/read-field.ts';
import { questionText } from '../../page/question-text.ts';
import { useAsync } from '../../page/use-async.ts';
import { client } from '../../server/browser-client.ts';
import type { Kinds } from '../../server/kinds.ts';

interface AccessReviewProps {
  readonly kinds: Kinds;
  readonly question: AccessQuestion;
}

/** A user to ask about; the name '' is the user of the page. */
interface Asked {
  readonly user: string;
  readonly groups: readonly string[];
}

/** The server's answer to the question if a user may do something, with its reasons. */
export function AccessReview({ kinds, question }: AccessReviewProps) {
  const [asked, setAsked] = useState<Asked>({ user: '', groups: [] });
  const key = JSON.stringify([question, asked]);
  const { value, error } = useAsync((signal) => reviewAccess(kinds, question, asked, signal), key);
  const ask = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const [user = '', groups = ''] = ['user', 'groups'].map((name) => {
      const text = data.get(name);
      return typeof text === 'string' ? text.trim() : '';
    });
    setAsked({ user, groups: groups.split(',').flatMap((group) => group.trim() || []) });
  };
  return (
    <section aria-label="Answer of the server">
      <form class="bar" onSubmit={ask}>
        <span class="pair">
          <label for="access-user">User</label>
          <input id="access-user" name="user" placeholder="yourself" autocomplete="off" spellcheck={false} />
        </span>
        <span class="pair">
          <label for="access-groups">Groups</label>
          <input id="access-groups" name="groups" placeholder="none, or a,b" autocomplete="off" spellcheck={false} />
        </span>
        <button>Ask</button>
      </form>
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {value && (
        <div role="status">
          <p>
            <strong class={value.isAllowed ? 'state live' : 'state lost'}>{value.isAllowed ? 'Yes' : 'No'}</strong>:{' '}
            {asked.user === '' && asked.groups.length === 0 ? 'you' : asked.user || asked.groups.join(', ')}{' '}
            {value.isAllowed ? 'may' : 'may not'} {questionText(question)}.
          </p>
          {value.reasons !== '' && <pre class="reasons">{value.reasons}</pre>}
        </div>
      )}
    </section>
  );
}

/** The group that the server gives to every user. */
function groupsOfAll(user: string): readonly string[] {
  if (user === '') return [];
  return [user === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated'];
}

async function reviewAccess(kinds: Kinds, question: AccessQuestion, { user, groups }: Asked, signal: AbortSignal) {
  const { path: _, ...attributes } = question;
  const filled = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''));
  const isSelf = user === '' && groups.length === 0;
  const spec: JsonObject = {
    resourceAttributes: filled,
    ...(isSelf ? {} : { user, groups: [...groups, ...groupsOfAll(user)] }),
  };
  const resource = isSelf ? 'selfsubjectaccessreviews' : 'subjectaccessreviews';
  const answer = await postReview({ client, resources: kinds.all, resource, spec, explain: true, signal });
  const status = objectAt(answer, 'status');
  const explanation = Object.entries(annotationsOf(answer)).find(([name]) => name.endsWith('/explanation'))?.[1];
  const reasons = [stringAt(status, 'reason'), stringAt(status, 'evaluationError')].filter(Boolean).join('\n');
  return { isAllowed: isTrue(status, 'allowed'), reasons: explanation ?? reasons };
}
