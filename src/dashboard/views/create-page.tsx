import { useMemo, useState } from 'preact/hooks';
import type { DiscoveredResource } from '../../client/discovery.ts';
import { textAt } from '../../cli/commands/inspect/describe/parts/values.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { examplesOf } from '../examples/examples-of.ts';
import { leaveDraft } from '../page/draft-guard.ts';
import { go, type Route } from '../page/route.ts';
import { useAsync } from '../page/use-async.ts';
import { readKindSchema } from '../server/read-kind-schema.ts';
import type { Kinds } from '../server/kinds.ts';
import { collectionPath } from '../server/paths.ts';
import { Editor } from './editor.tsx';

interface CreatePageProps {
  readonly kinds: Kinds;
  readonly route: Route;
}

/** A new object of a kind, from an example. */
export function CreatePage({ kinds, route }: CreatePageProps) {
  const kind = kinds.listed.find(({ group, resource }) => group === route.group && resource === route.resource);
  const creatable = kinds.listed.filter(({ verbs }) => verbs.includes('create'));
  const choose = (key: string): void => {
    const found = creatable.find((each) => keyOf(each) === key);
    if (found) go({ ...route, page: 'create', group: found.group, resource: found.resource });
  };
  return (
    <section class="create-page" aria-label="Create an object">
      <header class="bar">
        <h1>Create</h1>
        <label for="create-kind">Kind</label>
        <select
          id="create-kind"
          value={kind ? keyOf(kind) : ''}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {!kind && <option value="">Choose a kind</option>}
          {creatable.map((each) => (
            <option key={keyOf(each)} value={keyOf(each)}>
              {each.kind}
              {each.group === '' ? '' : ` (${each.group})`}
            </option>
          ))}
        </select>
      </header>
      {kind && <ExampleChoice key={keyOf(kind)} kinds={kinds} kind={kind} route={route} />}
    </section>
  );
}

function keyOf({ group, resource }: DiscoveredResource): string {
  return `${group}/${resource}`;
}

interface ExampleChoiceProps extends CreatePageProps {
  readonly kind: DiscoveredResource;
}

/** The examples of a kind, and the editor of the chosen one. */
function ExampleChoice({ kinds, kind, route }: ExampleChoiceProps) {
  const [chosen, setChosen] = useState(0);
  const namespace = route.namespaces[0] ?? 'default';
  const { value, error } = useAsync(async (signal) => ({ found: await readKindSchema(kind, signal) }), keyOf(kind));
  const isRead = value !== undefined || error !== undefined;
  const examples = useMemo(
    () => examplesOf({ kind, identifiers: kinds.identifiers, namespace, published: value?.found }),
    [isRead, namespace],
  );
  if (!isRead) return <p class="hint">Reading…</p>;
  const example = examples[chosen];
  const leave = (): void => go({ ...route, page: 'kind', name: '', tab: '' });
  const created = (object: JsonObject): void =>
    go({
      ...route,
      page: 'kind',
      namespace: textAt(object, 'metadata.namespace'),
      name: textAt(object, 'metadata.name'),
      tab: '',
    });
  const pathOf = (draft: JsonObject): string => {
    const place = textAt(draft, 'metadata.namespace');
    if (kind.namespaced && place === '') throw new Error('metadata.namespace: the object needs a namespace');
    return collectionPath(kind, place);
  };
  return (
    <>
      <div class="bar" role="group" aria-label="Examples">
        {examples.map(({ title }, index) => (
          <button key={title} aria-pressed={index === chosen} onClick={() => leaveDraft(() => setChosen(index))}>
            {title}
          </button>
        ))}
      </div>
      {example && (
        <Editor
          key={`${chosen} ${namespace}`}
          kind={kind}
          pathOf={pathOf}
          method="POST"
          base={example.object}
          onSaved={created}
          onCancel={leave}
        />
      )}
    </>
  );
}
