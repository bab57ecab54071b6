import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DiscoveredResource } from '../../client/discovery.ts';
import { textAt } from '../../cli/commands/inspect/describe/parts/values.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { fragmentOf, type Route } from '../page/route.ts';
import type { Kinds } from '../server/kinds.ts';
import { ObjectFeed } from '../server/object-feed.ts';
import { objectPath } from '../server/paths.ts';
import { yamlOf } from '../page/yaml-text.ts';
import { Editor } from './editor.tsx';
import { EventsTab } from './events-tab.tsx';
import { ConnectionState } from './feed-state.tsx';
import { ObjectForm } from './form/object-form.tsx';
import { HistoryTab } from './history-tab.tsx';
import { LogsTab } from './logs-tab.tsx';
import { ManagersTab } from './managers-tab.tsx';
import type { ObjectProps } from './object-props.ts';
import { OwnersTab } from './owners-tab.tsx';
import { WhyTab } from './why-tab.tsx';
import { Access } from './access/access.tsx';

const tabs = {
  events: EventsTab,
  history: HistoryTab,
  logs: LogsTab,
  managers: ManagersTab,
  owners: OwnersTab,
  access: AccessTab,
  why: WhyTab,
} as const;

interface ObjectPageProps {
  readonly kinds: Kinds;
  readonly kind: DiscoveredResource;
  readonly route: Route;
}

/** One object, in tabs, followed by watch. */
export function ObjectPage({ kinds, kind, route }: ObjectPageProps) {
  const { namespace, name } = route;
  const tab = route.tab === '' ? 'yaml' : route.tab;
  const path = objectPath(kind, namespace, name);
  const { feed, restart } = useObjectFeed(kind, namespace, name);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // The focus was in a table that is gone.
    if (document.activeElement === document.body) heading.current?.focus();
  }, [path]);
  const names = ['yaml', 'form', ...Object.keys(tabs)].filter((each) => each !== 'logs' || kind.kind === 'Pod');
  const Tab = Object.hasOwn(tabs, tab) ? tabs[tab as keyof typeof tabs] : undefined;
  const { object, isDeleted = false } = feed ?? {};
  const props: ObjectProps | undefined = feed &&
    object && { kinds, kind, namespace, name, object, changes: feed.changes, gaps: feed.gaps };
  const isBeingDeleted = object !== undefined && textAt(object, 'metadata.deletionTimestamp') !== '';
  return (
    <section class="object-page" aria-label={`${kind.kind} ${name}`}>
      <header class="bar">
        <a href={fragmentOf({ ...route, name: '', tab: '' })} id="back">
          {kind.resource}
        </a>
        <h1 ref={heading} tabIndex={-1}>
          {name}
        </h1>
        {namespace !== '' && <span class="hint">{namespace}</span>}
        {!isDeleted && isBeingDeleted && <span class="state lost">being deleted</span>}
        {feed && !isDeleted && <ConnectionState feeds={[feed]} />}
      </header>
      <nav class="tabs" aria-label="Views of the object">
        {names.map((each) => (
          <a key={each} href={fragmentOf({ ...route, tab: each })} aria-current={each === tab ? 'page' : undefined}>
            {each}
          </a>
        ))}
        <button onClick={restart}>Reload</button>
      </nav>
      {isDeleted && (
        <p class="error" role="alert">
          This object was deleted. The page shows its last state.
        </p>
      )}
      {feed && object && (tab === 'yaml' || tab === 'form') && (
        <WrittenTab
          key={path}
          kind={kind}
          path={path}
          object={object}
          asForm={tab === 'form'}
          isDeleted={isDeleted}
          canEdit={kind.verbs.includes('update')}
          onSaved={(saved) => feed.written(saved)}
        />
      )}
      {props && Tab && <Tab {...props} />}
    </section>
  );
}

/** Follows an object; `restart` reads it again. */
function useObjectFeed(kind: DiscoveredResource, namespace: string, name: string) {
  const [, redraw] = useState(0);
  const [round, setRound] = useState(0);
  const [feed, setFeed] = useState<ObjectFeed>();
  const path = objectPath(kind, namespace, name);
  const last = useRef<{ readonly path: string; readonly feed: ObjectFeed }>();
  useEffect(() => {
    const next = new ObjectFeed({ kind, namespace, name }, () => redraw((count) => count + 1));
    // Without the object an open editor would end, and with it what was written.
    next.object = last.current?.path === path ? last.current.feed.object : undefined;
    last.current = { path, feed: next };
    setFeed(next);
    return () => next.close();
  }, [path, round]);
  return { feed, restart: () => setRound((count) => count + 1) };
}

interface WrittenTabProps {
  readonly kind: DiscoveredResource;
  readonly path: string;
  readonly object: JsonObject;
  readonly asForm: boolean;
  readonly isDeleted: boolean;
  readonly canEdit: boolean;
  readonly onSaved: (object: JsonObject) => void;
}

/** The object as YAML or as a form of its fields, and its editor. */
function WrittenTab({ kind, path, object, asForm, isDeleted, canEdit, onSaved }: WrittenTabProps) {
  const [edited, setEdited] = useState<JsonObject>();
  const button = useRef<HTMLButtonElement>(null);
  const yaml = useMemo(() => (asForm ? '' : yamlOf(object)), [object, asForm]);
  const wasEdited = useRef(false);
  useLayoutEffect(() => {
    // The editor gives the focus back to the button that opened it.
    if (wasEdited.current && !edited) button.current?.focus();
    wasEdited.current = edited !== undefined;
  }, [edited]);
  if (edited) {
    const saved = (found: JsonObject): void => {
      onSaved(found);
      setEdited(undefined);
    };
    return (
      <Editor
        kind={kind}
        pathOf={() => path}
        method="PUT"
        base={edited}
        asForm={asForm}
        current={object}
        isDeleted={isDeleted}
        onSaved={saved}
        onCancel={() => setEdited(undefined)}
      />
    );
  }
  return (
    <>
      {canEdit && !isDeleted && (
        <div class="bar">
          <button id="edit" ref={button} onClick={() => setEdited(object)}>
            Edit
          </button>
        </div>
      )}
      {asForm ? (
        <ObjectForm kind={kind} object={object} />
      ) : (
        <pre class="yaml" tabIndex={0} aria-label="Object as YAML">
          {yaml}
        </pre>
      )}
    </>
  );
}

/** The users who have rights on an object. */
function AccessTab({ kinds, kind, namespace, name }: ObjectProps) {
  return <Access kinds={kinds} kind={kind} namespace={namespace} name={name} />;
}
