import { useEffect, useState } from 'preact/hooks';
import type { DiscoveredResource } from '../../client/discovery.ts';
import { textAt } from '../../cli/commands/inspect/describe/parts/values.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { fragmentOf, type Route } from '../page/route.ts';
import type { Kinds } from '../server/kinds.ts';
import { objectPath } from '../server/paths.ts';
import { sendJson } from '../server/send.ts';
import { messageOf } from '../page/use-async.ts';
import { yamlOf } from '../page/yaml-text.ts';
import { Editor } from './editor.tsx';
import { EventsTab } from './events-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { LogsTab } from './logs-tab.tsx';
import { ManagersTab } from './managers-tab.tsx';
import type { ObjectProps } from './object-props.ts';
import { WhyTab } from './why-tab.tsx';

const tabs = { events: EventsTab, history: HistoryTab, logs: LogsTab, managers: ManagersTab, why: WhyTab } as const;

interface ObjectPageProps {
  readonly kinds: Kinds;
  readonly kind: DiscoveredResource;
  readonly route: Route;
}

/** One object, in tabs. */
export function ObjectPage({ kinds, kind, route }: ObjectPageProps) {
  const { namespace, name } = route;
  const tab = route.tab === '' ? 'yaml' : route.tab;
  const path = objectPath(kind, namespace, name);
  const [object, setObject] = useState<JsonObject>();
  const [error, setError] = useState('');
  const show = (found: JsonObject): void => {
    setObject(found);
    setError('');
  };
  const read = (signal?: AbortSignal): void => {
    sendJson<JsonObject>(path, { signal }).then(
      show,
      (failure: unknown) => signal?.aborted || setError(messageOf(failure)),
    );
  };
  useEffect(() => {
    const stop = new AbortController();
    setObject(undefined);
    read(stop.signal);
    return () => stop.abort();
  }, [path]);
  const names = ['yaml', ...Object.keys(tabs)].filter((each) => each !== 'logs' || kind.kind === 'Pod');
  const Tab = Object.hasOwn(tabs, tab) ? tabs[tab as keyof typeof tabs] : undefined;
  const props: ObjectProps | undefined = object && { kinds, kind, namespace, name, object };
  return (
    <section class="object-page" aria-label={`${kind.kind} ${name}`}>
      <header class="bar">
        <a href={fragmentOf({ ...route, name: '', tab: '' })} id="back">
          {kind.resource}
        </a>
        <h1>{name}</h1>
        {namespace !== '' && <span class="hint">{namespace}</span>}
        {object && textAt(object, 'metadata.deletionTimestamp') !== '' && <span class="state lost">being deleted</span>}
      </header>
      <nav class="tabs" aria-label="Views of the object">
        {names.map((each) => (
          <a key={each} href={fragmentOf({ ...route, tab: each })} aria-current={each === tab ? 'page' : undefined}>
            {each}
          </a>
        ))}
        <button onClick={() => read()}>Reload</button>
      </nav>
      {error !== '' && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {object && tab === 'yaml' && (
        <YamlTab key={path} path={path} object={object} canEdit={kind.verbs.includes('update')} onRead={setObject} />
      )}
      {props && Tab && <Tab {...props} />}
    </section>
  );
}

interface YamlTabProps {
  readonly path: string;
  readonly object: JsonObject;
  readonly canEdit: boolean;
  readonly onRead: (object: JsonObject) => void;
}

function YamlTab({ path, object, canEdit, onRead }: YamlTabProps) {
  const [isEdited, setEdited] = useState(false);
  if (isEdited) {
    const saved = (found: JsonObject): void => {
      onRead(found);
      setEdited(false);
    };
    return <Editor path={path} method="PUT" base={object} onSaved={saved} onCancel={() => setEdited(false)} />;
  }
  return (
    <>
      {canEdit && (
        <div class="bar">
          <button id="edit" onClick={() => setEdited(true)}>
            Edit
          </button>
        </div>
      )}
      <pre class="yaml" tabIndex={0} aria-label="Object as YAML">
        {yamlOf(object)}
      </pre>
    </>
  );
}
